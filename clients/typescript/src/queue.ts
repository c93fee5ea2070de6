/** The events of one conversation on their way to the service, in order.
 *
 * An event that could not be delivered waits, and the agent does not: it goes on as if nothing had been said. When the
 * service is back, it hears everything in order, so that nothing it says rests on half of what happened. The agent waits
 * for that no longer than for one answer: then it goes on, and the rest is delivered in the background.
 */

import { type Answer, RejectedError, type Service } from "./service.js"

const KEPT = 256 // events that wait for the service; after more, the conversation is not watched any further

interface Entry {
  event: object
  answered: (answer: Answer) => void
  isWaiting: boolean
  timer?: ReturnType<typeof setTimeout>
}

export class Queue {
  #entries: Entry[] = []
  #isSending = false
  #isBehind = false // the agent has waited long enough, and does not wait until everything is delivered
  #isOver = false

  /** `late` gets the answers that come when nobody waits for them any more. */
  constructor(
    private readonly service: Service,
    private readonly path: string,
    private readonly late: (answer: Answer) => void,
  ) {}

  /** Deliver an event; what the service says to it, or {} if it cannot be asked in time. Never rejects. */
  tell(event: object): Promise<Answer> {
    if (this.#isOver) return Promise.resolve({})
    return new Promise((answered) => {
      const entry: Entry = { event, answered, isWaiting: true }
      this.#entries.push(entry)
      if (this.#isBehind) this.#goOn(entry)
      else if (this.#entries.length > 1) entry.timer = setTimeout(() => this.#goOn(entry), this.service.timeout)
      if (!this.#isSending) void this.#deliver()
    })
  }

  /** The agent does not wait for this answer, nor for others until everything is delivered. */
  #goOn(entry: Entry): void {
    this.#isBehind = true
    release(entry, {})
    this.#endIfTooMany()
  }

  async #deliver(): Promise<void> {
    this.#isSending = true
    while (this.#entries[0] && !this.service.isSilent && !this.#isOver) await this.#send(this.#entries[0])
    this.#isSending = this.#isBehind = false
    for (const entry of this.#entries) release(entry, {})
    this.#endIfTooMany()
    if (this.#isOver) this.#entries = []
  }

  async #send(entry: Entry): Promise<void> {
    try {
      const answer = await this.service.ask(this.path, entry.event)
      this.#entries.shift()
      if (entry.isWaiting) release(entry, answer)
      else this.late(answer)
    } catch (error) {
      if (error instanceof RejectedError) this.#isOver = true
    }
  }

  #endIfTooMany(): void {
    if (this.#entries.length <= KEPT) return
    this.#isOver = true
    this.service.warn(new Error(`more than ${KEPT} events wait for the service`))
  }
}

function release(entry: Entry, answer: Answer): void {
  clearTimeout(entry.timer)
  entry.isWaiting = false
  entry.answered(answer)
}
