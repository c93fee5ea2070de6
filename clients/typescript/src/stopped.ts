/** The errors that say: Headway refused this call, or ended this run. */

/** Why a run has to end. */
export interface Stop {
  /** The detector or limit, for programs: `exact_cycle`, `spend`, `manual_stop`, … */
  reason: string
  message: string
}

/** A call was not run. The message is what to answer in place of its result. */
export class CallRefused extends Error {
  override name = "CallRefused"

  /** Frameworks answer the model with the text of an error, some with its name in front. The name is not for the model. */
  override toString(): string {
    return this.message
  }
}

/** The run has to end; `reason` says why. */
export class RunStopped extends CallRefused {
  override name = "RunStopped"
  readonly reason: string

  constructor(stop: Stop) {
    super(stop.message)
    this.reason = stop.reason
  }
}
