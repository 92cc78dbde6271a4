import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, findRedis, freePort, openFolder, type PartsOptions, startRedis, waitUntil } from '@onward/dev-env'
import { CLUSTER_NODES, type ClusterNode, formCluster, ownerOf, untilWhole } from './cluster-nodes.ts'

/** A Redis Cluster of three masters and a replica of each. */
export type RedisCluster = {
  readonly url: string
  readonly nodeUrls: readonly string[]
  readonly from: string
  /** SIGKILL to the master that holds this key; waits until its replica has taken over, then starts it again. Gives its name. */
  failOver(key: string): Promise<string>
  /** Starts the nodes that have ended by themselves, and waits until all are one cluster again; gives their names. */
  revive(): Promise<string[]>
  stop(): Promise<void>
}

type Node = ClusterNode & { child: Child; launch(): Promise<Child> }

/** Undefined where no Redis can be had. */
export async function openRedisCluster(options: PartsOptions): Promise<RedisCluster | undefined> {
  const program = await findRedis(options)
  if (program === undefined) return undefined
  const { password } = await openFolder(options.dir)
  const nodes: Node[] = []
  for (let n = 0; n < CLUSTER_NODES; n++) {
    const folder = join(options.dir, 'redis', `node-${n}`)
    await mkdir(folder)
    const [port, busPort] = [await freePort(), await freePort()]
    const settings = [
      'cluster-enabled yes',
      `cluster-port ${busPort}`,
      'cluster-node-timeout 2000',
      `masterauth ${password}`,
      'appendfsync always',
    ]
    const log = join(options.dir, `redis-${n}.log`)
    const launch = async () => (await startRedis({ program, folder, password, log, throwAway: false, port, settings })).child
    nodes.push({ url: `redis://:${password}@127.0.0.1:${port}`, port, busPort, child: await launch(), launch })
  }
  await formCluster(nodes)
  const others = nodes.slice(1).map(({ port }) => `127.0.0.1:${port}`)
  return {
    url: `redis+cluster://:${password}@127.0.0.1:${nodes[0]?.port}?nodes=${others.join(',')}`,
    nodeUrls: nodes.map(({ url }) => url),
    from: `Cluster of ${CLUSTER_NODES} × ${program.from}`,
    async failOver(key) {
      const owner = await ownerOf(nodes, key)
      if (owner === undefined) throw new Error('no node holds the queue')
      await owner.child.stop('SIGKILL', 5_000)
      const rest = nodes.filter((node) => node !== owner)
      const taken = async () => {
        const now = await ownerOf(rest, key).catch(() => undefined)
        return now !== undefined && now !== owner
      }
      const done = await waitUntil(taken, 30_000, 100)
      owner.child = await owner.launch()
      if (!done) throw new Error('no replica took over in 30 s')
      return `node ${owner.port}`
    },
    async revive() {
      const ended = nodes.filter(({ child }) => child.ended())
      for (const node of ended) node.child = await node.launch()
      if (ended.length > 0) await untilWhole(nodes)
      return ended.map(({ port }) => `node ${port}`)
    },
    async stop() {
      await Promise.all(nodes.map(({ child }) => child.stop('SIGTERM', 5_000)))
    },
  }
}
