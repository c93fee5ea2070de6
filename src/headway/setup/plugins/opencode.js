// What the plugin does in OpenCode: its events become events of the hook, and the hook's answers take effect.

export const Headway = async ({ client, directory }) => {
  const refused = new Set() // calls that failed because of us
  const failed = new Map() // what was said about calls that failed, by call
  const compacted = new Map() // what has to be said again after a compaction, by session
  let hearing = Promise.resolve() // failed calls and compactions that are reported to the hook

  const heard = async (name, fields) => {
    const answer = await ask({ opencode_event: name, directory, ...fields })
    if (answer.stop) await client.session.abort({ path: { id: fields.sessionID } }).catch(() => {})
    const text = answer.stop ?? answer.deny ?? answer.tell
    if (text) await show(text, answer.tell ? "warning" : "error")
    return answer
  }

  // The person sees it too; without a screen there is nothing to show it on.
  const show = async (message, variant) => {
    await client.tui.showToast({ body: { title: "Headway", message, variant } }).catch(() => {})
  }

  const hearFailure = async ({ tool, sessionID, callID, state }) => {
    const call = { tool, sessionID, callID, args: state.input, output: { output: `Error: ${state.error}` } }
    const { tell } = await heard("tool.execute.after", call)
    if (tell) failed.set(callID, tell)
  }

  // The summary has lost what was said before it, so it is said again with the messages that follow.
  const hearCompaction = async (sessionID) => {
    const { tell } = await heard("session.compacted", { sessionID })
    if (tell) compacted.set(sessionID, tell)
  }

  return {
    "chat.message": async ({ sessionID, model }, { parts }) => {
      const prompt = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      compacted.delete(sessionID)
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
      if (tell) output.output += reminder(tell)
    },

    // A call that failed has no "after", so what was said about it goes to the model with its error.
    "experimental.chat.messages.transform": async (_, { messages }) => {
      await hearing
      for (const part of messages.flatMap((message) => message.parts)) {
        const text = part.type === "tool" && part.state.status === "error" && failed.get(part.callID)
        if (text && !part.state.error.includes(text)) part.state.error += reminder(text)
      }
      const asked = messages.findLast(({ info, parts }) => info.role === "user" && parts.some(isText))
      const text = compacted.get(asked?.info.sessionID)
      const part = text && asked.parts.findLast(isText)
      if (part && !part.text.includes(text)) part.text += reminder(text)
    },

    event: async ({ event: { type, properties } }) => {
      const sessionID = properties.sessionID ?? properties.info?.id
      const part = properties.part
      if (type === "session.compacted") {
        hearing = Promise.all([hearing, hearCompaction(sessionID)])
        await hearing
      } else if (["session.created", "session.idle", "session.deleted"].includes(type)) {
        await heard(type, { sessionID })
      } else if (type === "message.part.updated" && part.type === "tool" && part.state.status === "error") {
        if (refused.delete(part.callID)) return
        hearing = Promise.all([hearing, hearFailure({ sessionID, ...part })])
        await hearing
      }
    },
  }
}

const isText = (part) => part.type === "text"
const reminder = (text) => `\n\n<system-reminder>${text}</system-reminder>`
