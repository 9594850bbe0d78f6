/** A process that handles one request after another before they reach an engine's queue. */
export class Turnstile {
  /** Requests in it. */
  inside = 0;
  private freeAt = 0;

  /** A request comes in and takes so long. Returns when it is through. */
  enter(time: number, seconds: number): number {
    this.inside += 1;
    this.freeAt = Math.max(this.freeAt, time) + seconds;
    return this.freeAt;
  }

  leave(): void {
    this.inside -= 1;
  }
}
