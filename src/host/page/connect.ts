/** What a person pastes into each client to connect it. The token is left out of sight and copied along. */
import { copyButton } from '../../../views/copy.ts';
import { fill, make } from '../../../views/dom.ts';
import { COPY } from '../../../views/words.ts';
import { PAGE } from './page-words.ts';
import type { PageInfo } from './wire.ts';

/** The name that clients know the hub by. */
const SERVER = 'model-hub';

export interface Snippet {
  readonly client: string;
  readonly how: string;
  readonly text: string;
}

/** A snippet per client, with `token` in its place. */
export function snippets({ url, stdio }: PageInfo['mcp'], token: string): readonly Snippet[] {
  const authorization = `Bearer ${token}`;
  return [
    { client: PAGE.claudeCode, how: PAGE.claudeCodeHow, text: `claude mcp add --transport http ${SERVER} ${url} --header "Authorization: ${authorization}"` },
    { client: PAGE.claudeDesktop, how: PAGE.claudeDesktopHow, text: `{\n  "mcpServers": {\n    ${JSON.stringify(SERVER)}: {\n      "command": ${JSON.stringify(stdio.command)},\n      "args": ${JSON.stringify(stdio.args)}\n    }\n  }\n}` },
    // A JSON string is a TOML basic string too.
    { client: PAGE.codex, how: PAGE.codexHow, text: `[mcp_servers.${SERVER}]\nurl = ${JSON.stringify(url)}\nhttp_headers = { "Authorization" = ${JSON.stringify(authorization)} }` },
  ];
}

export function drawConnect(element: HTMLElement, { mcp }: PageInfo): void {
  const shown = snippets(mcp, PAGE.hiddenToken);
  const real = snippets(mcp, mcp.token);
  const field = (label: string, shownText: string, text: string): HTMLElement =>
    make(element, 'div', { class: 'page-field' }, make(element, 'span', { class: 'mh-muted' }, label), make(element, 'code', {}, shownText), copyButton(element, COPY, text, label));
  fill(element,
    make(element, 'p', { class: 'mh-about' }, PAGE.connectAbout),
    make(element, 'div', { class: 'page-fields' }, field(PAGE.address, mcp.url, mcp.url), field(PAGE.token, PAGE.hiddenToken, mcp.token)),
    make(element, 'div', { class: 'page-clients' }, ...shown.map(({ client, how, text }, at) => make(element, 'section', { class: 'page-client' },
      make(element, 'div', { class: 'page-client-head' }, make(element, 'h3', {}, client), copyButton(element, COPY, real[at]!.text, client)),
      make(element, 'p', { class: 'mh-muted' }, how),
      make(element, 'pre', { tabindex: '0', 'aria-label': client }, make(element, 'code', {}, text))))));
}
