import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How a link treats connections. `drip` forwards a few bytes at a time, `half-open` drops all bytes without closing, and `reset` breaks open
 * connections and refuses new ones.
 */
export type LinkState =
  | { readonly kind: 'normal' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'half-open' }

/** A TCP proxy between a process and a server. */
export type Link = {
  readonly port: number
  /** Applies to open and new connections. */
  set(state: LinkState): void
  /** Waits for a connection that sends these texts in this order, and withholds the response to the last one. */
  hold(texts: readonly string[]): Hold
  close(): Promise<void>
}

type Hold = {
  /** Resolves when the server has responded. */
  readonly held: Promise<void>
  /** Stops waiting, and breaks the connection whose response was withheld. */
  end(): void
}

/** `near` leads to the process and `far` to the server. `stale`: bytes of this connection were dropped. */
type Connection = { readonly near: Socket; readonly far: Socket; stale: boolean }

type Watcher = {
  /** Reads bytes that go to the server. */
  sent(connection: Connection, chunk: Buffer): void
  /** Returns whether bytes from the server must be withheld. */
  withholds(connection: Connection): boolean
}

/** Listens on a loopback port and forwards to the loopback port `target`. */
export async function openLink(target: number): Promise<Link> {
  const connections = new Set<Connection>()
  const watchers = new Set<Watcher>()
  let state: LinkState = { kind: 'normal' }

  const server = createServer((near) => {
    near.on('error', ignore)
    if (state.kind === 'reset') return void near.resetAndDestroy()
    const far = connect(target, '127.0.0.1').on('error', ignore)
    const connection = { near: near.setNoDelay(), far: far.setNoDelay(), stale: false }
    connections.add(connection)
    near.once('close', () => connections.delete(connection))
    pipe(connection, near, far)
    pipe(connection, far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function pipe(connection: Connection, from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      from.pause()
      forward(connection, from, to, chunk).then(
        () => from.resume(),
        () => cut(connection),
      )
    })
    from.once('end', () => to.end())
    from.once('close', () => to.destroy())
  }

  async function forward(connection: Connection, from: Socket, to: Socket, chunk: Buffer): Promise<void> {
    for (const watcher of watchers) {
      if (from === connection.near) watcher.sent(connection, chunk)
      else if (watcher.withholds(connection)) return
    }
    if (state.kind === 'half-open') {
      connection.stale = true
      return
    }
    if (state.kind === 'delay') await sleep(state.ms)
    if (state.kind === 'drip') return await drip(to, chunk, state.bytes, state.everyMs)
    await write(to, chunk)
  }

  async function drip(to: Socket, chunk: Buffer, bytes: number, everyMs: number): Promise<void> {
    for (let at = 0; at < chunk.length; at += bytes) {
      // After a change of the state, the rest is sent at once.
      const end = state.kind === 'drip' ? at + bytes : chunk.length
      await write(to, chunk.subarray(at, end))
      if (end >= chunk.length) return
      await sleep(everyMs)
    }
  }

  function hold(texts: readonly string[]): Hold {
    let respond: () => void = ignore
    const held = new Promise<void>((resolve) => {
      respond = resolve
    })
    const seen = new Map<Connection, number>()
    let caught: Connection | undefined
    const watcher: Watcher = {
      sent(connection, chunk) {
        if (caught !== undefined) return
        let next = seen.get(connection) ?? 0
        while (next < texts.length && chunk.includes(texts[next] ?? '')) next++
        seen.set(connection, next)
        if (next === texts.length) caught = connection
      },
      withholds(connection) {
        if (connection !== caught) return false
        respond()
        return true
      },
    }
    watchers.add(watcher)
    return {
      held,
      end() {
        if (caught !== undefined) cut(caught)
        watchers.delete(watcher)
      },
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next
      // A stale connection has lost bytes, so it cannot continue. TCP would break it too.
      for (const connection of connections) if (next.kind === 'reset' || connection.stale) cut(connection)
    },
    hold,
    async close() {
      for (const connection of connections) cut(connection)
      server.close()
      await once(server, 'close')
    },
  }
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
