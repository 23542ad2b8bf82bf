/** What the page gives to copy for each client. */
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

  it('obsidian 22 F241 Codex gets TOML', () => {
    expect(text.get('Codex')).toBe('[mcp_servers.model-hub]\nurl = "http://127.0.0.1:3917/mcp"\nhttp_headers = { "Authorization" = "Bearer abc" }');
  });
});
