import type { Rig } from './rig/open-rig.ts'

/** Starts all processes: one of each service first, which migrates. */
export async function startProcesses({ functions, insights }: Rig): Promise<void> {
  await Promise.all([functions[0]?.start(), insights[0]?.start()])
  await Promise.all([...functions.slice(1), ...insights.slice(1)].map((service) => service.start()))
}
