import type { ReactNode } from 'react'
import { PageTabs } from '../../shell/links.tsx'
import { TEXT } from './words.ts'

/** The tabs of the page. */
export function SystemTabs(): ReactNode {
  const { name, health, workspaces, quarantine, repair, maintenance } = TEXT.tabs
  const tabs = [
    ['', health],
    ['workspaces', workspaces],
    ['quarantine', quarantine],
    ['repair', repair],
    ['maintenance', maintenance],
  ] as const
  return <PageTabs page="system" label={name} tabs={tabs} />
}
