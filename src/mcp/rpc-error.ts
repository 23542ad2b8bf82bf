/**
 * An error before there is a call: an HTTP status, and a JSON-RPC error that says what to do.
 */
export function rpcErrorBody(code: number, message: string, id: string | number | null = null): object {
  return { jsonrpc: '2.0', error: { code, message }, id };
}

export function rpcError(status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(rpcErrorBody(code, message), { status, headers });
}

/** Said of JSON-RPC batches, on every transport: a call must not be able to hide behind another one. */
export const NO_BATCHES = 'Batches are not served. Send each message by itself.';
