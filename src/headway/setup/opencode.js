// Headway's plugin for OpenCode: hands each event to `headway hook` and does what it answers.
// Written by `headway install opencode`, removed by `headway uninstall opencode`.

import { spawn } from "node:child_process"

const COMMAND = "headway hook --agent opencode"
const PATIENCE = 10_000 // milliseconds; it answers within far less

// What the hook answers to one event: {}, {tell}, {deny} or {stop}. Whatever goes wrong, OpenCode is not disturbed.
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

export const Headway = async ({ client, directory }) => {
  const refused = new Set() // calls that failed because of us
  const unsaid = new Map() // what could not be said after a call that failed, by session

  const heard = async (name, fields) => {
    const answer = await ask({ opencode_event: name, directory, ...fields })
    if (answer.stop) await client.session.abort({ path: { id: fields.sessionID } }).catch(() => {})
    return answer
  }

  return {
    "chat.message": async ({ sessionID, model }, { parts }) => {
      const prompt = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      await heard("chat.message", { sessionID, prompt: prompt.join("\n"), model: model?.modelID })
    },

    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      const { deny, stop } = await heard("tool.execute.before", { tool, sessionID, callID, args })
      if (!deny && !stop) return
      refused.add(callID)
      throw new Error(deny ?? stop)
    },

    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const result = { output: output.output, metadata: output.metadata }
      const { tell } = await heard("tool.execute.after", { tool, sessionID, callID, args, output: result })
      for (const text of [unsaid.get(sessionID), tell].filter(Boolean)) {
        output.output += `\n\n<system-reminder>${text}</system-reminder>`
      }
      unsaid.delete(sessionID)
    },

    event: async ({ event: { type, properties } }) => {
      const sessionID = properties.sessionID ?? properties.info?.id
      const part = properties.part
      if (["session.created", "session.compacted", "session.idle", "session.deleted"].includes(type)) {
        await heard(type, { sessionID })
      } else if (type === "message.part.updated" && part.type === "tool" && part.state.status === "error") {
        if (refused.delete(part.callID)) return
        const call = { tool: part.tool, sessionID, callID: part.callID, args: part.state.input }
        const { tell } = await heard("tool.execute.after", { ...call, output: { output: `Error: ${part.state.error}` } })
        if (tell) unsaid.set(sessionID, tell)
      }
    },
  }
}
