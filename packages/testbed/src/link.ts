import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The condition of a network. `stall` withholds all bytes until it ends; `reset` breaks open connections and refuses new ones. */
export type LinkState =
  | { readonly kind: 'normal' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'stall' }

/** A TCP proxy in front of a server, which disturbs the connections. */
export type Link = {
  /** The URL of the server, through the proxy. */
  readonly url: string
  /** How many connections clients have closed with a TCP reset. */
  readonly resets: number
  set(state: LinkState): void
  /**
   * Makes the open connections silent, or only the connection that `pick` chooses. New connections work. Returns how many became silent.
   */
  silence(pick?: <T>(connections: readonly T[]) => T): number
  /** Ends the silence of all connections: delivers what was withheld, also from clients that have closed their connection. */
  heal(): void
  /** Waits for a connection that sends these texts in this order, and makes it silent before the last one or before the response to it. */
  hold(texts: readonly string[], what: 'request' | 'response'): Hold
  close(): Promise<void>
}

export type Hold = {
  /** Resolves when the connection became silent: when the client has sent the last text, or when the server has responded to it. */
  readonly held: Promise<void>
  /** Resets the client's connection. What was withheld can still be delivered to the server. */
  resetClient(): void
  /** Stops waiting. Resets the silent connection, delivers what was withheld, or leaves the connection silent. */
  end(then: 'cut' | 'deliver' | 'silence'): void
}

type Connection = {
  readonly near: Socket
  readonly far: Socket
  /** While set, the connection is silent: neither side gets bytes, nor learns that the other side has closed. */
  silence: Deferred | undefined
  /** Whether the network is in the condition of the link, and not always in a normal one. */
  disturbed: boolean
}

type Deferred = { readonly over: Promise<void>; end(): void }

type Watcher = {
  /** Reads bytes that go to the server. */
  sent(connection: Connection, chunk: Buffer): void
  /** Called when the server has sent bytes, before they are forwarded. */
  answered(connection: Connection): void
}

/**
 * Opens a proxy on a loopback port. `target` is the URL of the server. With `after`, the state of the link and `silence` only apply to
 * connections on which a client has sent this text.
 */
export async function openLink(target: string, after?: string): Promise<Link> {
  const url = new URL(target)
  const { hostname, port } = url
  const connections = new Set<Connection>()
  const watchers = new Set<Watcher>()
  let state: LinkState = { kind: 'normal' }
  let stall: Deferred | undefined
  let resets = 0

  const server = createServer((near) => {
    near.on('error', (err: NodeJS.ErrnoException) => {
      if (err.code === 'ECONNRESET') resets++
    })
    if (state.kind === 'reset' && after === undefined) return void near.resetAndDestroy()
    const far = connect(Number(port), hostname).on('error', ignore)
    const connection: Connection = { near: near.setNoDelay(), far: far.setNoDelay(), silence: undefined, disturbed: after === undefined }
    connections.add(connection)
    for (const side of [near, far]) {
      side.once('close', () => {
        if (near.destroyed && far.destroyed) connections.delete(connection)
      })
    }
    pipe(connection, near, far)
    pipe(connection, far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  function pipe(connection: Connection, from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      from.pause()
      forward(connection, from, to, chunk).then(
        () => from.resume(),
        () => cut(connection),
      )
    })
    from.once('end', () => void whenAudible(connection).then(() => to.end()))
    from.once('close', () => void whenAudible(connection).then(() => to.destroySoon()))
  }

  async function whenAudible(connection: Connection): Promise<void> {
    const silenceOf = () => connection.silence ?? (connection.disturbed ? stall : undefined)
    for (let silence = silenceOf(); silence !== undefined; silence = silenceOf()) await silence.over
  }

  async function forward(connection: Connection, from: Socket, to: Socket, chunk: Buffer): Promise<void> {
    if (from === connection.far) for (const watcher of watchers) watcher.answered(connection)
    if (from === connection.near) {
      for (const watcher of watchers) watcher.sent(connection, chunk)
      if (after !== undefined && chunk.includes(after)) connection.disturbed = true
    }
    await whenAudible(connection)
    if (!connection.disturbed) return await write(to, chunk)
    if (state.kind === 'reset') return cut(connection)
    if (state.kind === 'delay') await sleep(state.ms)
    if (state.kind === 'drip') return await drip(to, chunk, state.bytes, state.everyMs)
    await write(to, chunk)
  }

  async function drip(to: Socket, chunk: Buffer, bytes: number, everyMs: number): Promise<void> {
    for (let at = 0; at < chunk.length; at += bytes) {
      // When the state clears, the rest is sent at once.
      const end = state.kind === 'drip' ? at + bytes : chunk.length
      await write(to, chunk.subarray(at, end))
      if (end >= chunk.length) return
      await sleep(everyMs)
    }
  }

  function hold(texts: readonly string[], what: 'request' | 'response'): Hold {
    const held = defer()
    const seen = new Map<Connection, number>()
    let caught: Connection | undefined
    const watcher: Watcher = {
      sent(connection, chunk) {
        if (caught !== undefined || !watchers.has(watcher)) return
        let next = seen.get(connection) ?? 0
        while (next < texts.length && chunk.includes(texts[next] ?? '')) next++
        seen.set(connection, next)
        if (next !== texts.length) return
        caught = connection
        if (what === 'request') silenceCaught(connection)
      },
      answered: silenceCaught,
    }
    function silenceCaught(connection: Connection): void {
      if (connection !== caught) return
      watchers.delete(watcher)
      connection.silence ??= defer()
      held.end()
    }
    watchers.add(watcher)
    return {
      held: held.over,
      resetClient: () => caught?.near.resetAndDestroy(),
      end(then) {
        watchers.delete(watcher)
        const connection = caught
        caught = undefined
        if (connection === undefined || then === 'silence') return
        if (then === 'cut') cut(connection)
        else heal(connection)
      },
    }
  }

  return {
    url: url.href,
    get resets() {
      return resets
    },
    set(next) {
      state = next
      const ended = stall
      stall = next.kind === 'stall' ? defer() : undefined
      ended?.end()
      if (next.kind !== 'reset') return
      for (const connection of connections) if (connection.disturbed && connection.silence === undefined) cut(connection)
    },
    silence(pick) {
      const open = [...connections].filter(
        ({ near, far, silence, disturbed }) => !near.destroyed && !far.destroyed && silence === undefined && disturbed,
      )
      const chosen = pick === undefined || open.length === 0 ? open : [pick(open)]
      for (const connection of chosen) connection.silence = defer()
      return chosen.length
    },
    heal() {
      for (const connection of connections) heal(connection)
    },
    hold,
    async close() {
      for (const connection of connections) cut(connection)
      server.close()
      await once(server, 'close')
    },
  }
}

function defer(): Deferred {
  let end: () => void = ignore
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { over, end: () => end() }
}

function heal(connection: Connection): void {
  const { silence } = connection
  connection.silence = undefined
  silence?.end()
}

function cut({ near, far }: Connection): void {
  // Node never releases a socket that is reset during its shutdown.
  if (near.writableEnded) near.destroy()
  else near.resetAndDestroy()
  far.destroy()
}

async function write(to: Socket, chunk: Buffer): Promise<void> {
  if (to.destroyed || to.write(chunk)) return
  await Promise.race([once(to, 'drain'), once(to, 'close')])
}

function ignore(): void {}
