import { Bot } from 'lucide-react'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { listApplicationMcpTokens } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { defineAddress } from '../../list/address.ts'
import { chainPages } from '../../list/chain-pages.ts'
import { ApplicationList, useApplicationNames } from '../../parts/application-list.tsx'
import { AddAgent } from './add-agent.tsx'
import { AGENT_COLUMNS } from './agent-columns.tsx'
import { AgentPanel } from './agent-panel.tsx'
import { WORDS } from './words.ts'

const PAGE_SIZE = 100

const ADDRESS = defineAddress({ user: { kind: 'text', label: WORDS.list.user, placeholder: WORDS.list.userPlaceholder, suggests: 'user' } })

/** The agents that act for users. */
export function Page(): ReactNode {
  const applications = useApplicationNames()
  return (
    <ApplicationList
      title={WORDS.title}
      about={WORDS.about}
      icon={<Bot />}
      help={WORDS.list.noApplicationsHelp}
      applications={applications}
      actions={applications.data !== undefined && <AddAgent applications={applications.data} />}
      columns={AGENT_COLUMNS}
      place={3}
      listOf={(keys, nameOf) => ({
        name: 'agents',
        address: ADDRESS,
        rowKey: ({ id }) => id,
        load: ({ user }, cursor, signal) =>
          chainPages(keys, cursor, PAGE_SIZE, async (key, inner) => {
            const query = { user_id: user, page_size: PAGE_SIZE, _cursor: inner ?? undefined }
            const response = await send(functions, listApplicationMcpTokens, { params: { app_key: key }, query, signal })
            return { rows: response.tokens.map((token) => ({ ...token, app_key: key })), next: response._cursor }
          }),
        panelParameter: 'agent',
        panel: (id, row) => <AgentPanel key={id} agent={row} nameOf={nameOf} />,
        panelTitle: (_id, row) => row?.name ?? WORDS.panel.title,
        empty: { icon: <Bot />, title: WORDS.list.empty, help: WORDS.list.emptyHelp },
      })}
    />
  )
}
