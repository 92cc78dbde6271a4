import type { Fault } from '../fault.ts'
import { freezes } from './freezes.ts'
import { fronts } from './fronts.ts'
import { kills } from './kills.ts'
import { machines } from './machines.ts'
import { networks } from './networks.ts'
import { stores } from './stores.ts'

export const FAULTS: readonly Fault[] = [...kills, ...freezes, ...stores, ...networks, ...machines, ...fronts]
