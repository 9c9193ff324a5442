package generated;

/** A value that would make another key than its own. */
public final class InvalidKeyPart extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String attribute;
  private final String value;

  InvalidKeyPart(String attribute, String value, String reason) {
    super(attribute + " cannot be part of a key: it " + reason);
    this.attribute = attribute;
    this.value = value;
  }

  public String attribute() {
    return attribute;
  }

  public String value() {
    return value;
  }
}
