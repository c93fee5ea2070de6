// An agent of the Vercel AI SDK with its own telemetry; writes its spans as the SDK of Python prints them.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, run, file] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(createRequire(`${folder}/package.json`).resolve(name)).href);
const { generateText, stepCountIs, tool } = await load("ai");
const { MockLanguageModelV3 } = await load("ai/test");
const { NodeTracerProvider } = await load("@opentelemetry/sdk-trace-node");
const { z } = await load("zod");

const asked = run === "loop" ? Array(7).fill("Ada") : ["Ada", "Bela", "Cleo", "Dora", "Emil", "Fritz", "Greta"];
const said = asked.map((name, n) => ({ type: "tool-call", toolCallId: `call_${n}`, toolName: "look_up_customer", input: JSON.stringify({ name }) }));
said.push({ type: "text", text: "done" });
const usage = { inputTokens: { total: 100, noCache: 100 }, outputTokens: { total: 10, text: 10 } };
const model = new MockLanguageModelV3({
  doGenerate: async () => {
    const part = said.shift();
    const reason = part.type === "text" ? "stop" : "tool-calls";
    return { content: [part], finishReason: { unified: reason, raw: reason }, usage, warnings: [] };
  },
});

const spans = [];
const begun = new Map();
const time = ([seconds, nanoseconds]) => new Date(seconds * 1000).toISOString().slice(0, 20) + String(nanoseconds).padStart(9, "0").slice(0, 6) + "Z";
const recorder = {
  onStart: (span) => begun.set(span.spanContext().spanId, Object.keys(span.attributes).sort()),
  onEnd: (span) =>
    spans.push({
      name: span.name,
      context: { trace_id: span.spanContext().traceId, span_id: span.spanContext().spanId },
      parent_id: span.parentSpanContext?.spanId ?? null,
      start_time: time(span.startTime),
      end_time: time(span.endTime),
      status: { status_code: ["UNSET", "OK", "ERROR"][span.status.code], description: span.status.message },
      attributes: span.attributes,
      events: span.events.map(({ name, attributes, time: when }) => ({ name, attributes, timestamp: time(when) })),
      scope: { name: span.instrumentationScope.name, version: span.instrumentationScope.version ?? "" },
      at_start: begun.get(span.spanContext().spanId),
    }),
  shutdown: async () => {},
  forceFlush: async () => {},
};
const provider = new NodeTracerProvider({ spanProcessors: [recorder] });
provider.register();
const contents = process.env.RECORD !== "false";
await generateText({
  model,
  prompt: "Look up our customers.",
  stopWhen: stepCountIs(20),
  tools: { look_up_customer: tool({ inputSchema: z.object({ name: z.string() }), execute: () => "one open order" }) },
  experimental_telemetry: { isEnabled: true, recordInputs: contents, recordOutputs: contents },
});
writeFileSync(file, spans.map((span) => JSON.stringify(span) + "\n").join(""));
