/** A refused write: nothing was written. `cause` is what DynamoDB said. */
export class WriteRefused extends Error {
  constructor(
    readonly entity: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${entity} ${message}`, options);
    this.name = "WriteRefused";
  }
}

/** A guard refused the write: there is such an item already. */
export class AlreadyExists extends WriteRefused {
  constructor(entity: string, options?: ErrorOptions) {
    super(entity, "exists already", options);
    this.name = "AlreadyExists";
  }
}

/** A guard refused the write: there is no such item. */
export class NotFound extends WriteRefused {
  constructor(entity: string, options?: ErrorOptions) {
    super(entity, "does not exist", options);
    this.name = "NotFound";
  }
}

/** There is no such item, or it is not as the write demands. */
export class ConditionNotMet extends WriteRefused {
  constructor(entity: string, options?: ErrorOptions) {
    super(entity, "does not exist, or does not allow this write", options);
    this.name = "ConditionNotMet";
  }
}

/** Another writer was faster. Nothing was written; trying again is safe. */
export class Conflict extends WriteRefused {
  constructor(entity: string, options?: ErrorOptions) {
    super(entity, "was changed by another writer", options);
    this.name = "Conflict";
  }
}
