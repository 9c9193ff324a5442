from __future__ import annotations

from decimal import Decimal
from typing import Any, TypeVar

from pynamodb.attributes import Attribute, MapAttribute
from pynamodb.constants import NUMBER
from pynamodb.models import Model

from .reading import Item, compact

M = TypeVar("M", bound=Model)


class DecimalAttribute(Attribute[Decimal]):
    """A number with all 38 digits that DynamoDB has; PynamoDB's own is a float."""

    attr_type = NUMBER

    def serialize(self, value: Decimal) -> str:
        return str(value)

    def deserialize(self, value: str) -> Decimal:
        return Decimal(value)


def model_of(model: type[M], item: Item) -> M:
    names = {
        attribute.attr_name: name for name, attribute in model.get_attributes().items()
    }
    return model(**{names[name]: value for name, value in item.items()})


def _plain(value: Any) -> Any:
    return value.as_dict() if isinstance(value, MapAttribute) else value


def item_of(model: Model) -> Item:
    values: dict[str, Any] = {
        attribute.attr_name: _plain(getattr(model, name))
        for name, attribute in model.get_attributes().items()
    }
    return compact(values)
