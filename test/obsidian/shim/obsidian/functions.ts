/** Obsidian's free functions: debounce, requests, platform. */
import { Buffer } from 'node:buffer';
import type * as obsidian from 'obsidian';
import type { Bridge } from '../node/bridge.ts';

/** As `Debouncer`: later calls put the moment off only with `resetTimer`; the last arguments count. */
export function debounce<T extends unknown[], V>(callback: (...args: [...T]) => V, timeout = 0, resetTimer = false): obsidian.Debouncer<T, V> {
  let timer: number | undefined;
  let last: T;
  const fire = (): V => {
    window.clearTimeout(timer);
    timer = undefined;
    return callback(...last);
  };
  const debounced = (...args: T): unknown => {
    last = args;
    if (timer === undefined || resetTimer) {
      window.clearTimeout(timer);
      timer = window.setTimeout(fire, timeout);
    }
    return debounced;
  };
  const cancel = (): unknown => {
    window.clearTimeout(timer);
    timer = undefined;
    return debounced;
  };
  const run = (): V | void => {
    if (timer !== undefined) return fire();
  };
  return Object.assign(debounced, { cancel, run }) as unknown as obsidian.Debouncer<T, V>;
}

interface Whole { readonly status: number; readonly headers: Record<string, string>; readonly bytes: Uint8Array }

/** `requestUrl` over Node: no origin stands in its way. */
export function makeRequestUrl(bridge: Bridge): typeof obsidian.requestUrl {
  const ask = async (given: obsidian.RequestUrlParam | string): Promise<obsidian.RequestUrlResponse> => {
    const { url, method = 'GET', contentType, body, headers = {}, throw: throws = true } = typeof given === 'string' ? { url: given } : given;
    const typed = contentType === undefined ? headers : { ...headers, 'content-type': contentType };
    const { status, headers: answered, bytes } = (await bridge.call('http.whole', { url, method, headers: typed, body: typeof body === 'string' ? Buffer.from(body) : body })) as Whole;
    if (throws && status >= 400) throw Object.assign(new Error(`Request failed, status ${status}`), { status });
    const text = Buffer.from(bytes).toString('utf8');
    return { status, headers: answered, arrayBuffer: new Uint8Array(bytes).buffer, text, get json() { return JSON.parse(text) as unknown; } };
  };
  return (given) => {
    const asked = ask(given);
    const part = <K extends keyof obsidian.RequestUrlResponse>(key: K) => ({ get: () => asked.then((response) => response[key]) });
    return Object.defineProperties(asked, { text: part('text'), json: part('json'), arrayBuffer: part('arrayBuffer') }) as obsidian.RequestUrlResponsePromise;
  };
}

/** A Linux desktop. */
export const PLATFORM: typeof obsidian.Platform = {
  isDesktop: true, isMobile: false, isDesktopApp: true, isMobileApp: false, isIosApp: false, isAndroidApp: false, isPhone: false, isTablet: false,
  isMacOS: false, isWin: false, isLinux: true, isSafari: false, resourcePathPrefix: 'app://shim/',
};
