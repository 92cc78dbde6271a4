import { waitUntil } from '@onward/dev-env'
import { redisSession } from './redis-session.ts'

export type ClusterNode = { readonly url: string; readonly port: number; readonly busPort: number }

const MASTERS = 3
export const CLUSTER_NODES = 2 * MASTERS
const SLOTS = 16_384

/** Makes a cluster of empty nodes: the first half are masters, the second half their replicas. */
export async function formCluster(nodes: readonly ClusterNode[]): Promise<void> {
  const [first] = nodes as [ClusterNode]
  const ids: string[] = []
  for (const [n, node] of nodes.entries()) {
    ids.push(String(await ask(node, 'CLUSTER', 'MYID')))
    if (n < MASTERS) {
      const [from, to] = [Math.floor((n * SLOTS) / MASTERS), Math.floor(((n + 1) * SLOTS) / MASTERS) - 1]
      await ask(node, 'CLUSTER', 'ADDSLOTSRANGE', from, to)
    }
    if (node !== first) await ask(first, 'CLUSTER', 'MEET', '127.0.0.1', node.port, node.busPort)
  }
  await untilAll(nodes, `cluster_known_nodes:${nodes.length}`)
  for (const [n, node] of nodes.entries()) if (n >= MASTERS) await ask(node, 'CLUSTER', 'REPLICATE', ids[n - MASTERS] ?? '')
  await untilWhole(nodes)
}

/** Resolves when every node knows a master for every slot. */
export async function untilWhole(nodes: readonly ClusterNode[]): Promise<void> {
  await untilAll(nodes, 'cluster_state:ok')
}

/** The master of a key, as the first node that answers knows it. Undefined when it is none of these. */
export async function ownerOf<N extends ClusterNode>(nodes: readonly N[], key: string): Promise<N | undefined> {
  const [asked] = nodes as readonly [N, ...N[]]
  const slot = Number(await ask(asked, 'CLUSTER', 'KEYSLOT', key))
  const ranges = (await ask(asked, 'CLUSTER', 'SLOTS')) as [from: number, to: number, master: [host: string, port: number]][]
  const range = ranges.find(([from, to]) => from <= slot && slot <= to)
  return nodes.find(({ port }) => port === range?.[2][1])
}

async function untilAll(nodes: readonly ClusterNode[], text: string): Promise<void> {
  const ready = async () =>
    (await Promise.all(nodes.map((node) => ask(node, 'CLUSTER', 'INFO').catch(() => '')))).every((info) => String(info).includes(text))
  if (!(await waitUntil(ready, 30_000, 100))) throw new Error(`the Redis Cluster did not come to ${text} in 30 s`)
}

async function ask({ url }: ClusterNode, command: string, ...args: (string | number)[]): Promise<unknown> {
  return await redisSession(url, (client) => client.call(command, ...args))
}
