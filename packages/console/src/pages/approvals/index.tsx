import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { defineAddress } from '../../list/address.ts'
import { ApplicationList, useApplicationNames } from '../../parts/application-list.tsx'
import { APPROVAL_COLUMNS } from './approval-columns.tsx'
import { ApprovalPanel } from './approval-panel.tsx'
import { makeApprovalReader } from './read-approvals.ts'
import { WORDS } from './words.ts'

const { list: words } = WORDS

const ADDRESS = defineAddress({
  state: {
    kind: 'enum',
    label: words.state,
    values: ['pending', 'approved', 'refused', 'used', 'all'],
    names: WORDS.states,
    default: 'pending',
  },
  user: { kind: 'text', label: words.user, placeholder: words.userPlaceholder, suggests: 'user' },
  function: { kind: 'text', label: words.fn, placeholder: words.fnPlaceholder, suggests: 'function' },
})

/** The approvals of calls. */
export function Page(): ReactNode {
  return (
    <ApplicationList
      title={WORDS.title}
      about={WORDS.about}
      icon={<ShieldCheck />}
      help={words.noApplicationsHelp}
      applications={useApplicationNames()}
      columns={APPROVAL_COLUMNS}
      place={3}
      listOf={(keys, nameOf) => ({
        name: 'approvals',
        address: ADDRESS,
        rowKey: ({ id }) => id,
        ...makeApprovalReader(keys),
        panelParameter: 'approval',
        panel: (id, row) => <ApprovalPanel key={id} id={id} row={row} nameOf={nameOf} />,
        panelTitle: (_id, row) => row?.function_name ?? WORDS.panel.title,
        empty: { icon: <ShieldCheck />, title: words.empty, help: words.emptyHelp },
      })}
    />
  )
}
