/**
 * What `--help` prints.
 */
import type { CommandName } from './options.ts';

const GENERAL = `Model Hub: the gate that every tool call on a vault passes.

  model-hub [serve]   serve the gate over a vault: the page, and MCP over HTTP
  model-hub mcp       serve one MCP client over stdin and stdout, with the page beside it
  model-hub log       show the log of calls
  model-hub verify    check the log for rows that were changed, lost or cut off
  model-hub hash      the hash that the log holds for given arguments
  model-hub tools     list the tools with the policy in force, or set one
  model-hub traces    how traces are sent to an OpenTelemetry collector, or set it
  model-hub export    send traces of calls that were made before
  model-hub secret    secrets for the headers of traces, by name

Every command takes
  --vault DIR         the vault; without it, a copy of the example vault
  --state DIR         where this device keeps its secrets and the log's witness
  --help, --version

model-hub COMMAND --help says more.`;

const TOPICS: { readonly [C in CommandName]: string } = {
  serve: `model-hub serve [--vault DIR] [--port N] [--ask-seconds N] [--no-open]

Serves the gate over a vault folder. The page answers questions and shows what
happened; in the terminal, a allows once, r for the run, d denies, m shows
more of long arguments.

  --port N            default 4820, or the next free one; a port that you name must be free
  --ask-seconds N     how long a question waits for you; default 120
  --no-open           do not open the page in a browser`,
  mcp: `model-hub mcp [--vault DIR] [--port N] [--ask-seconds N]

Serves one MCP client over stdin and stdout, for clients that start their servers
themselves. Its questions are answered on the page; the address is on stderr.`,
  log: `model-hub log [--last N] [--run ID] [--plugin ID] [--tool NAME] [--since TIME] [--until TIME] [--json]

Shows calls and undos, oldest first; the last 20 unless you say otherwise.
Arguments are in the log as a hash only. --json prints the rows as they stand.`,
  verify: `model-hub verify [--json]

Checks the whole log: rows changed, missing, moved or forked, and a tail that was
cut off, told apart from a row that a crash left half-written. Exit code 1 if
anything is wrong.`,
  hash: `model-hub hash '{"shelf":"To read"}'      or the arguments on stdin, with -

Prints the hash that the log holds for these arguments, so that you can look for
a call you know of. It needs this device's key: nobody else can guess.`,
  tools: `model-hub tools [--set NAME=SETTING …] [--json]

Lists the tools with the policy in force. --set books.add_to_shelf=deny sets a
tool, --set books=ask a whole plugin: allow, ask, deny or default. A host that is
running takes it at once.`,
  traces: `model-hub traces [--set KEY=VALUE …] [--test] [--json]

Shows how traces are sent to an OpenTelemetry collector. A host that is running
takes a change at once.

  --set send=on                          off is the default, and means off
  --set endpoint=http://localhost:4318   OTLP over HTTP; there is no default
  --set header.Authorization=NAME        a header that holds the secret of that name
  --set sampleRate=0.1                   the share of traces that is sent, 0 to 1
  --set serviceName=NAME                 default model-hub
  --set traceUrl=URL                     where a trace is looked at, with {trace} and {span};
                                         or jaeger, or grafana
  --test                                 send a test span, and show what was sent and said

What a trace holds, and what is never sent: docs/traces.md.`,
  export: `model-hub export --since TIME

Sends traces of calls that the log has and the collector has not: those from
before sending was switched on. What was sent is remembered, and not sent again.
Sending must be switched on, with model-hub traces --set send=on.`,
  secret: `model-hub secret set NAME      with the secret on stdin
model-hub secret delete NAME
model-hub secret list

Secrets for headers of traces, kept on this device. A secret is for the endpoint
that is set when it is given, and goes to no other.`,
};

export function helpText(topic?: CommandName): string {
  return topic === undefined ? GENERAL : TOPICS[topic];
}
