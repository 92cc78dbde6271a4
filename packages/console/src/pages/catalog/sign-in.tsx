import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { readCatalogApp } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { useApplicationField } from '../../parts/application-field.tsx'
import { useApplicationNames } from '../../parts/application-list.tsx'
import { Facts, Stack } from '../../ui/page.tsx'
import { Group, Section } from '../../ui/section.tsx'
import styles from './catalog.module.css'
import { ClientHelp } from './client-help.tsx'
import { OAuthClient } from './oauth-client.tsx'
import type { AppDetail } from './types.ts'
import { CATALOG } from './words.ts'

const { signIn: words } = CATALOG

/** How users connect an account of an app, and what the application needs for it. */
export function SignIn({ app }: { app: AppDetail }): ReactNode {
  return (
    <>
      <Group title={words.ways} about={words.waysAbout}>
        <Facts facts={app.auth.map((type) => [CATALOG.auth[type] ?? type, words.help[type] ?? ''])} />
      </Group>
      {app.redirect_url !== null && <ClientOfApplication app={app} redirectUrl={app.redirect_url} />}
      <Group title={words.hosts} about={words.hostsAbout}>
        <ul className={styles.hosts}>
          {app.hosts.map((host) => (
            <li key={host}>
              <code>{host}</code>
            </li>
          ))}
        </ul>
      </Group>
    </>
  )
}

/** The OAuth client of an app belongs to one application. */
function ClientOfApplication({ app, redirectUrl }: { app: AppDetail; redirectUrl: string }): ReactNode {
  const applications = useApplicationNames()
  const known = applications.data ?? []
  const { appKey, field } = useApplicationField(known)
  const own = useRead(functions, readCatalogApp, { params: { app: app.name }, query: { app_key: appKey } }, { enabled: appKey !== '' })
  const reading = appKey === '' && applications.data !== undefined ? { ...own, data: app } : own
  return (
    <Section
      title={words.client}
      about={words.clientAbout}
      reading={applications.error === undefined ? reading : { ...reading, error: applications.error, retry: applications.retry }}
    >
      {(detail) => (
        <Stack gap={4}>
          {field !== null && <div className={styles.application}>{field}</div>}
          <ClientHelp app={detail} redirectUrl={redirectUrl} />
          {known.length === 0 && <p>{words.noApplication}</p>}
          {appKey !== '' && <OAuthClient key={appKey} app={detail} appKey={appKey} application={new Map(known).get(appKey) ?? appKey} />}
        </Stack>
      )}
    </Section>
  )
}
