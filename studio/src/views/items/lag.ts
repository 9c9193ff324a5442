// Changes that the index side does not show yet. The delay is simulated: this engine's indexes have
// none. Later changes never overtake earlier ones, as in an index's queue.
export interface Delayed<Change> {
  change: Change;
  dueMs: number;
}

export class LagQueue<Change> {
  private waiting: Delayed<Change>[] = [];

  get pending(): readonly Delayed<Change>[] {
    return this.waiting;
  }

  add(change: Change, nowMs: number, delayMs: number): void {
    const last = this.waiting[this.waiting.length - 1];
    this.waiting.push({ change, dueMs: Math.max(nowMs + delayMs, last?.dueMs ?? 0) });
  }

  // Takes what is due out of the queue, oldest first.
  take(nowMs: number): Change[] {
    const due = this.waiting.filter((one) => one.dueMs <= nowMs);
    this.waiting = this.waiting.filter((one) => one.dueMs > nowMs);
    return due.map((one) => one.change);
  }

  // When the next change is due; null if none waits.
  get nextMs(): number | null {
    return this.waiting[0]?.dueMs ?? null;
  }
}
