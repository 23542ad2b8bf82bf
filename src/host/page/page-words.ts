/** The words of the page around the views. */
import { HUB } from '../../../views/words.ts';

export type ConnectionState = 'connecting' | 'connected' | 'lost' | 'locked';

export const PAGE = {
  title: HUB,
  waitingTitle: (tool: string) => `● ${tool} asks · ${HUB}`,
  connection: {
    connecting: 'Connecting…', connected: 'Connected', lost: 'Connection lost, trying again', locked: 'Opened with an old key',
  } satisfies { readonly [S in ConnectionState]: string },
  locked: 'The host was started with another key. Open the address that its terminal printed.',
  lostInQuestion: 'The connection to the host is lost. An answer counts only once it is back.',
  questionGone: 'The question closed while this page was not connected. If it was answered elsewhere, the list of calls says how.',
  unreachable: 'The host cannot be reached. Is it still running in its terminal?',
  connectAbout: 'Each client asks the hub for its tools at this address, with this token. Treat the token as a password: whoever has it may ask.',
  address: 'MCP address', token: 'Token', hiddenToken: '••••••••',
  claudeCode: 'Claude Code', claudeCodeHow: 'Run this in a terminal.',
  claudeDesktop: 'Claude Desktop', claudeDesktopHow: 'Settings → Developer → Edit config, then start it again.',
  codex: 'Codex', codexHow: 'Add this to ~/.codex/config.toml.',
} as const;
