import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, findRedis, openRedisFolder, type PartsOptions, startRedis, waitUntil } from '@onward/dev-env'
import { fixedPort } from '@onward/testbed'
import { withRedis } from './redis-server.ts'

/** A Redis Cluster of three masters with a replica each. */
export type RedisCluster = {
  readonly url: string
  readonly nodeUrls: readonly string[]
  readonly from: string
  /** Kills the master of this key, waits until its replica has taken over, and starts it again. Returns its name. */
  failOver(key: string): Promise<string>
  /** Starts the nodes that have exited, waits until the cluster is whole, and returns their names. */
  revive(): Promise<string[]>
  stop(): Promise<void>
}

type Node = { readonly url: string; readonly port: number; readonly busPort: number; child: Child; launch(): Promise<Child> }

const MASTERS = 3
const SLOTS = 16_384

/** Returns undefined where no Redis is available. */
export async function openRedisCluster(options: PartsOptions): Promise<RedisCluster | undefined> {
  const program = await findRedis(options)
  if (program === undefined) return undefined
  const { password } = await openRedisFolder(options.dir)
  const nodes: Node[] = []
  for (let n = 0; n < 2 * MASTERS; n++) {
    const folder = join(options.dir, 'redis', `node-${n}`)
    await mkdir(folder)
    const [port, busPort] = [await fixedPort(), await fixedPort()]
    const timing = ['cluster-node-timeout 2000', 'appendfsync always']
    const settings = ['cluster-enabled yes', `cluster-port ${busPort}`, `masterauth ${password}`, ...timing]
    const log = join(options.dir, `redis-${n}.log`)
    const launch = async () => (await startRedis({ program, folder, password, log, throwAway: false, port, settings })).child
    nodes.push({ url: `redis://:${password}@127.0.0.1:${port}`, port, busPort, child: await launch(), launch })
  }
  await formCluster(nodes)
  const others = nodes.slice(1).map(({ port }) => `127.0.0.1:${port}`)
  return {
    url: `redis+cluster://:${password}@127.0.0.1:${nodes[0]?.port}?nodes=${others.join(',')}`,
    nodeUrls: nodes.map(({ url }) => url),
    from: `Cluster of ${nodes.length} × ${program.from}`,
    async failOver(key) {
      const owner = await ownerOf(nodes, key)
      if (owner === undefined) throw new Error('no node of the cluster holds the queue')
      await owner.child.stop('SIGKILL', 5_000)
      const rest = nodes.filter((node) => node !== owner)
      const replaced = async () => {
        const now = await ownerOf(rest, key).catch(() => undefined)
        return now !== undefined && now !== owner
      }
      const done = await waitUntil(replaced, 30_000, 100)
      owner.child = await owner.launch()
      if (!done) throw new Error('no replica took over within 30 s')
      return `node ${owner.port}`
    },
    async revive() {
      const ended = nodes.filter(({ child }) => child.ended())
      for (const node of ended) node.child = await node.launch()
      if (ended.length > 0) await untilAll(nodes, 'cluster_state:ok')
      return ended.map(({ port }) => `node ${port}`)
    },
    async stop() {
      await Promise.all(nodes.map(({ child }) => child.stop('SIGTERM', 5_000)))
    },
  }
}

/** Joins empty nodes to a cluster: the first half are masters, the second half are their replicas. */
async function formCluster(nodes: readonly Node[]): Promise<void> {
  const ids: string[] = []
  for (const [n, node] of nodes.entries()) {
    ids.push(String(await ask(node, 'CLUSTER', 'MYID')))
    if (n < MASTERS) {
      const [from, to] = [Math.floor((n * SLOTS) / MASTERS), Math.floor(((n + 1) * SLOTS) / MASTERS) - 1]
      await ask(node, 'CLUSTER', 'ADDSLOTSRANGE', from, to)
    }
    if (n > 0) await ask(nodes[0], 'CLUSTER', 'MEET', '127.0.0.1', node.port, node.busPort)
  }
  await untilAll(nodes, `cluster_known_nodes:${nodes.length}`)
  for (const [n, node] of nodes.entries()) if (n >= MASTERS) await ask(node, 'CLUSTER', 'REPLICATE', ids[n - MASTERS] ?? '')
  await untilAll(nodes, 'cluster_state:ok')
}

/** Returns the master of a key according to the first of these nodes, or undefined if it is none of them. */
async function ownerOf(nodes: readonly Node[], key: string): Promise<Node | undefined> {
  const slot = Number(await ask(nodes[0], 'CLUSTER', 'KEYSLOT', key))
  const ranges = (await ask(nodes[0], 'CLUSTER', 'SLOTS')) as [from: number, to: number, master: [host: string, port: number]][]
  const range = ranges.find(([from, to]) => from <= slot && slot <= to)
  return nodes.find(({ port }) => port === range?.[2][1])
}

async function untilAll(nodes: readonly Node[], text: string): Promise<void> {
  const ready = async () =>
    (await Promise.all(nodes.map((node) => ask(node, 'CLUSTER', 'INFO').catch(() => '')))).every((info) => String(info).includes(text))
  if (!(await waitUntil(ready, 30_000, 100))) throw new Error(`the Redis Cluster did not reach ${text} within 30 s`)
}

async function ask(node: Node | undefined, command: string, ...args: (string | number)[]): Promise<unknown> {
  return await withRedis(node?.url ?? '', (client) => client.call(command, ...args))
}
