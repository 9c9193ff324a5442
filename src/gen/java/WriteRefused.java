package generated;

/** Nothing was written. */
public abstract class WriteRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String entity;

  private WriteRefused(String entity, String message) {
    super(entity + " " + message);
    this.entity = entity;
  }

  public String entity() {
    return entity;
  }

  /** A guard refused the write: there is such an item already. */
  public static final class AlreadyExists extends WriteRefused {
    private static final long serialVersionUID = 1L;

    AlreadyExists(String entity) {
      super(entity, "exists already");
    }
  }

  /** A guard refused the write: there is no such item. */
  public static final class NotFound extends WriteRefused {
    private static final long serialVersionUID = 1L;

    NotFound(String entity) {
      super(entity, "does not exist");
    }
  }

  /** There is no such item, or it is not as the write demands. */
  public static final class ConditionNotMet extends WriteRefused {
    private static final long serialVersionUID = 1L;

    ConditionNotMet(String entity) {
      super(entity, "does not exist, or does not allow this write");
    }
  }

  /** Another writer was faster. Trying again is safe. */
  public static final class Conflict extends WriteRefused {
    private static final long serialVersionUID = 1L;

    Conflict(String entity) {
      super(entity, "was changed by another writer");
    }
  }
}
