// How a plugin of Headway hands an event to `headway hook`; `headway install` puts it in front of each plugin.

import { spawn } from "node:child_process"

const COMMAND = "headway hook --agent NAME"
const PATIENCE = 10_000 // milliseconds; it answers within far less

// What the hook answers to one event: {}, or an object with tell, deny, stop or go_on. No fault of ours reaches the agent.
function ask(event) {
  return new Promise((resolve) => {
    const hook = spawn(COMMAND, { shell: true, stdio: ["pipe", "pipe", "ignore"], timeout: PATIENCE })
    let answer = ""
    hook.stdout.on("data", (text) => (answer += text))
    hook.on("error", () => resolve({}))
    hook.stdin.on("error", () => {})
    hook.on("close", () => {
      try {
        resolve(JSON.parse(answer))
      } catch {
        resolve({})
      }
    })
    hook.stdin.end(JSON.stringify(event))
  })
}
