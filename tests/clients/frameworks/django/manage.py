"""A Django site whose view keeps songs in DynamoDB through PynamoDB, and whose cache is a table of DynamoDB. It knows the endpoint from the
environment only."""

import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import JsonResponse
from django.urls import path
from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.models import Model

settings.configure(
    DEBUG=True,
    SECRET_KEY="x",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django_dynamodb_cache"],
    CACHES={"default": {"BACKEND": "django_dynamodb_cache.backend.DjangoCacheBackend", "LOCATION": "DjangoCache"}},
)


class Song(Model):
    class Meta:
        table_name = "DjangoSongs"

    artist = UnicodeAttribute(hash_key=True)
    year = NumberAttribute()


def songs(request, artist):
    from django.core.cache import cache

    if request.GET.get("year"):
        Song(artist, year=int(request.GET["year"])).save()
        cache.set(artist, "cached", 60)
    return JsonResponse({"year": Song.get(artist).year, "cache": cache.get(artist)})


urlpatterns = [path("songs/<artist>", songs)]

if __name__ == "__main__":
    if sys.argv[1] == "createcachetable":
        Song.create_table(billing_mode="PAY_PER_REQUEST", wait=True)
    execute_from_command_line(sys.argv)
