/** What the page gives to copy for each client. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { snippets } from '../../src/host/page/connect.ts';

const MCP = { url: 'http://127.0.0.1:3917/mcp', token: 'abc', stdio: { command: 'model-hub', args: ['mcp', '--vault', 'C:\\My "vault"'] } };

describe('what is pasted into each client', () => {
  const text = new Map(snippets(MCP, 'abc').map((snippet) => [snippet.client, snippet.text]));

  it('obsidian 22 F241 Claude Code gets a command', () => {
    expect(text.get('Claude Code')).toBe('claude mcp add --transport http model-hub http://127.0.0.1:3917/mcp --header "Authorization: Bearer abc"');
  });

  it('obsidian 22 F241 Claude Desktop gets JSON that can be parsed, whatever the vault is called', () => {
    expect(JSON.parse(text.get('Claude Desktop')!)).toEqual({ mcpServers: { 'model-hub': { command: 'model-hub', args: ['mcp', '--vault', 'C:\\My "vault"'] } } });
  });

  it('obsidian 22 F241 README says the same for each, with words in place of the address and the token', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const shown = new Map(snippets({ url: 'http://127.0.0.1:4820/mcp', token: 'YOUR-TOKEN', stdio: { command: 'node', args: ['path/to/model-hub/dist/model-hub.mjs', 'mcp', '--vault', 'path/to/your vault'] } }, 'YOUR-TOKEN').map((snippet) => [snippet.client, snippet.text]));
    expect(readme).toContain(`\`\`\`sh\n${shown.get('Claude Code')}\n\`\`\``);
    expect(readme).toContain(`\`\`\`toml\n${shown.get('Codex')}\n\`\`\``);
    expect(JSON.parse(/```json\n([^]*?)```/.exec(readme)![1]!)).toEqual(JSON.parse(shown.get('Claude Desktop')!));
  });

  it('obsidian 22 F241 Codex gets TOML', () => {
    expect(text.get('Codex')).toBe('[mcp_servers.model-hub]\nurl = "http://127.0.0.1:3917/mcp"\nhttp_headers = { "Authorization" = "Bearer abc" }');
  });
});
