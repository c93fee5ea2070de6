/** The entry to Headway for one program: options, and one watch for each agent of each conversation. */

import { randomUUID } from "node:crypto"

import { Service, type ServiceOptions } from "./service.js"
import { type Decision, Watch, type Watching } from "./watch.js"

export interface Options extends ServiceOptions {
  /** enforce (the default): tell, refuse, stop. nudge: only tell. observe: only record. */
  mode?: "observe" | "nudge" | "enforce"
  maxTokens?: number
  maxCostUsd?: number
  maxSeconds?: number
  /** All other settings, as `headway config` names them. */
  settings?: Record<string, Record<string, unknown>>
  /** Called with everything that Headway tells, refuses or stops. */
  onDecision?: (decision: Decision) => void
}

const KNOWN = ["url", "token", "timeout", "warn", "mode", "maxTokens", "maxCostUsd", "maxSeconds", "settings", "onDecision"]
const CONVERSATIONS = 256 // the one that was quiet for longest is forgotten first

export class Headway {
  /** The name under which sessions appear on the dashboard. */
  protected readonly program: string = "framework"

  readonly #options: Options
  readonly #service: Service
  readonly #watches = new Map<string, Watch>()

  constructor(options: Options = {}) {
    const unknown = Object.keys(options).find((name) => !KNOWN.includes(name))
    if (unknown) throw new TypeError(`unknown option ${unknown}: expected one of ${KNOWN.join(", ")}`)
    this.#options = options
    this.#service = new Service(options)
  }

  /** The watch of an agent in a conversation. Without a name it is a conversation of its own. */
  conversation(name: string = randomUUID(), agent = ""): Watch {
    const key = JSON.stringify([name, agent])
    const watch = this.#watches.get(key) ?? new Watch(this.#watching(), name, agent)
    this.#watches.delete(key)
    this.#watches.set(key, watch)
    const [oldest] = this.#watches.keys()
    if (this.#watches.size > CONVERSATIONS && oldest !== undefined) this.#watches.delete(oldest)
    return watch
  }

  /** Say once that something went wrong in Headway. */
  protected warn(error: unknown): void {
    this.#service.warn(error)
  }

  #watching(): Watching {
    const { onDecision } = this.#options
    const path = `/hook/${this.program}?mode=enforce`
    return { service: this.#service, path, settings: settingsOf(this.#options), onDecision }
  }
}

/** The options that are settings of Headway, under their names there. */
function settingsOf({ mode, maxTokens, maxCostUsd, maxSeconds, settings = {} }: Options): object {
  const limits = { max_tokens: maxTokens, max_cost_usd: maxCostUsd, max_seconds: maxSeconds }
  const given = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined))
  return {
    ...settings,
    ...(Object.keys(given).length && { global: { ...settings.global, ...given } }),
    ...(mode && { policy: { ...settings.policy, mode } }),
  }
}
