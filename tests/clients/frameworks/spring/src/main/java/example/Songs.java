package example;

import io.awspring.cloud.dynamodb.DynamoDbTemplate;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;

/** A server whose controller keeps songs through DynamoDbTemplate. Spring knows the endpoint from application.properties. */
@SpringBootApplication
@RestController
public class Songs {
  private final DynamoDbTemplate template;

  Songs(DynamoDbTemplate template, DynamoDbEnhancedClient client) {
    this.template = template;
    try {
      client.table("song", TableSchema.fromBean(Song.class)).createTable();
    } catch (ResourceInUseException there) {
      // A server before this one made it.
    }
  }

  @GetMapping("/songs/{artist}")
  Map<String, Integer> song(@PathVariable("artist") String artist, @RequestParam(name = "year", required = false) Integer year) {
    if (year != null) {
      Song song = new Song();
      song.setArtist(artist);
      song.setYear(year);
      template.save(song);
    }
    return Map.of("year", template.load(Key.builder().partitionValue(artist).build(), Song.class).getYear());
  }

  public static void main(String[] arguments) {
    SpringApplication.run(Songs.class, arguments);
  }
}
