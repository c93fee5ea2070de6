/** One agent in one conversation: what it does goes in, what it should be told comes out.
 *
 * Nothing here rejects because of Headway: if the service cannot be asked, the agent goes on as if unwatched.
 */

import { randomUUID } from "node:crypto"
import process from "node:process"

import { Queue } from "./queue.js"
import type { Answer, Service } from "./service.js"
import { CallRefused, RunStopped, type Stop } from "./stopped.js"
import { asArguments, asError, asText } from "./text.js"

/** Who wrote a message in the user's place, and why. Without it, a person counts as the writer. */
export type Sender = "person" | "continue" | "schedule" | "news" | "correction"

/** What a request to the model has used. */
export interface Usage {
  tokensIn?: number | undefined
  tokensOut?: number | undefined
  /** The parts of the input that were read from a cache, or put into one. */
  tokensCached?: number | undefined
  tokensWritten?: number | undefined
  costUsd?: number | undefined
}

/** What Headway did. */
export interface Decision extends Stop {
  action: "nudge" | "block" | "stop"
  conversation: string
  agent: string
}

/** What all conversations of a program have in common. */
export interface Watching {
  service: Service
  path: string
  settings: object
  onDecision?: ((decision: Decision) => void) | undefined
}

export class Watch {
  /** Why the run has to end; undefined as long as it may go on. */
  stopped: Stop | undefined
  /** The name of the model, if known. */
  model = ""

  readonly #queue: Queue
  readonly #mark = randomUUID().slice(0, 8) // other processes count requests from 1, too
  #advice: string[] = []
  #requests = 0

  constructor(
    private readonly watching: Watching,
    readonly conversation: string,
    readonly agent: string,
  ) {
    this.#queue = new Queue(watching.service, watching.path, (answer) => this.#heardLate(answer))
  }

  /** A new turn: a stopped run may continue, unless a limit stopped it that is still reached. News begins no turn. */
  async userSpoke(text: string, kind?: Sender): Promise<void> {
    if (kind !== "news") {
      this.stopped = undefined
      this.#advice = []
    }
    await this.#tell("user_spoke", () => ({ text: asText(text), ...(kind && { kind }) }))
  }

  /** Before the model is asked: what to add to its input. The calls that it then asks for are one batch. */
  beforeModel(): string | undefined {
    this.#requests += 1
    return this.#advice.splice(0).join("\n") || undefined
  }

  /** The model was not reached, so it is told at the next request. */
  notTold(advice: string | undefined): void {
    if (advice) this.#advice.unshift(advice)
  }

  /** The model has answered. */
  async answered(text: string, usage: Usage = {}): Promise<void> {
    await this.#tell("answered", () => ({
      text: asText(text),
      tokens_in: usage.tokensIn,
      tokens_out: usage.tokensOut,
      tokens_cached: usage.tokensCached,
      tokens_written: usage.tokensWritten,
      cost_usd: usage.costUsd,
    }))
  }

  /** Before a tool runs. Announce it, then tell its result, unless it is refused. */
  async called(tool: string, args: unknown): Promise<Call> {
    const batch = this.#requests ? `${this.#mark}-${this.#requests}` : undefined
    const call = { call: randomUUID(), tool, args: asArguments(args), batch }
    if (!this.stopped) {
      const { deny } = await this.#tell("called", () => call)
      if (deny !== undefined) return new Call(new CallRefused(deny))
    }
    if (this.stopped) return new Call(new RunStopped(this.stopped))
    return new Call((result) => this.#tell("returned", () => ({ ...call, result: result() })))
  }

  /** Watch one call of a loop written by hand: what it gives, or an error with what to answer in its place. */
  async call<T>(tool: string, args: unknown, run: () => T | Promise<T>): Promise<T> {
    const call = await this.called(tool, args)
    if (call.refusal) throw call.refusal
    try {
      const output = await run()
      await call.returned(output)
      return output
    } catch (error) {
      await call.failed(error)
      throw error
    }
  }

  /** Say once that something went wrong in Headway. */
  warn(error: unknown): void {
    this.watching.service.warn(error)
  }

  /** Our own faults end here. */
  async #tell(event: string, fields: () => object): Promise<Answer> {
    try {
      const { settings } = this.watching
      const known = { id: randomUUID(), event, session: this.#session, cwd: folder(), model: this.model || undefined }
      return this.#heard(await this.#queue.tell({ ...known, settings, ...fields() }))
    } catch (error) {
      this.warn(error)
      return {}
    }
  }

  #heard(answer: Answer): Answer {
    const { tell, deny, stop, reason = "" } = answer
    if (tell !== undefined) this.#advice.push(tell)
    if (tell !== undefined) this.#decided({ action: "nudge", reason, message: tell })
    if (deny !== undefined) this.#decided({ action: "block", reason, message: deny })
    if (stop !== undefined && !this.stopped) {
      this.stopped = { reason, message: stop }
      this.#decided({ action: "stop", ...this.stopped })
    }
    return answer
  }

  /** Too late to refuse a call or to end a turn, which the service does at the next call; still to be told. */
  #heardLate({ tell, reason }: Answer): void {
    if (tell !== undefined) this.#heard({ tell, ...(reason && { reason }) })
  }

  #decided(done: Omit<Decision, "conversation" | "agent">): void {
    try {
      this.watching.onDecision?.({ ...done, conversation: this.conversation, agent: this.agent })
    } catch (error) {
      this.warn(error)
    }
  }

  /** The name of this agent in this conversation; no two pairs have the same one. */
  get #session(): string {
    const name = encoded(this.conversation)
    return this.agent || !name ? `${name}/${encoded(this.agent)}` : name
  }
}

/** As encodeURIComponent, which throws at half of a character: a name may be cut in the middle of one. */
function encoded(name: string): string {
  const parts = String(name).split(/(\p{Surrogate})/u) // each second one is such a half
  return parts.map((part, at) => (at % 2 ? `%u${part.charCodeAt(0).toString(16)}` : encodeURIComponent(part))).join("")
}

/** The folder in which the program runs; if it was removed, the one in which only the user's own settings hold. */
function folder(): string {
  try {
    return process.cwd()
  } catch {
    return "/"
  }
}

/** A call that was announced: refused, or waiting for its result. */
export class Call {
  readonly refusal: CallRefused | undefined
  readonly #tell: ((result: () => object) => Promise<unknown>) | undefined

  constructor(way: CallRefused | ((result: () => object) => Promise<unknown>)) {
    if (way instanceof CallRefused) this.refusal = way
    else this.#tell = way
  }

  /** What the tool gave. */
  async returned(output: unknown, failed?: boolean): Promise<void> {
    await this.#tell?.(() => ({ output: asText(output), failed }))
  }

  /** Why the tool failed. */
  async failed(error: unknown): Promise<void> {
    await this.#tell?.(() => ({ output: asError(error), failed: true }))
  }
}
