export interface StartOptions {
  /** Directory of a durable database. Default: everything is in memory. */
  data?: string;
  /** Default: a free port. */
  port?: number;
  /** A model file whose tables the server creates and fills with its sample. */
  model?: string;
  /** Further options of `prejoin serve`. */
  options?: string[];
  startTimeoutMs?: number;
}

/** Can be spread into the configuration of a client: `new DynamoDBClient({...server})`. */
export interface Server {
  endpoint: string;
  port: number;
  region: string;
  credentials: {accessKeyId: string; secretAccessKey: string};
  pid: number;
  stop(): Promise<void>;
}

/** Resolves when the server answers. The server ends with stop(), and when this process ends, however that happens. */
export function start(options?: StartOptions): Promise<Server>;

/** The path of the program for this machine. */
export function findBinary(): string;
