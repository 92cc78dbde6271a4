import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { listApplications, readCatalogApp } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { Field, Select } from '../../ui/field.tsx'
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
  const workspaceId = useWorkspaceId()
  const applications = useRead(functions, listApplications, { query: { workspace_id: workspaceId } })
  const known = applications.data?.applications ?? []
  const [chosen, setChosen] = useState('')
  const application = known.find(({ app_key }) => app_key === chosen) ?? known[0]
  const appKey = application?.app_key ?? ''
  const own = useRead(functions, readCatalogApp, { params: { app: app.name }, query: { app_key: appKey } }, { enabled: appKey !== '' })
  const reading = application === undefined && applications.data !== undefined ? { ...own, data: app } : own
  return (
    <Section
      title={words.client}
      about={words.clientAbout}
      reading={applications.error === undefined ? reading : { ...reading, error: applications.error, retry: applications.retry }}
    >
      {(detail) => (
        <Stack gap={4}>
          {application === undefined ? (
            <>
              <ClientHelp app={detail} redirectUrl={redirectUrl} />
              <p>{words.noApplication}</p>
            </>
          ) : (
            <>
              {known.length > 1 && (
                <div className={styles.application}>
                  <Field label={words.application}>
                    <Select
                      value={appKey}
                      onChange={(event) => setChosen(event.target.value)}
                      options={known.map(({ app_key, name }) => [app_key, name])}
                    />
                  </Field>
                </div>
              )}
              <ClientHelp app={detail} redirectUrl={redirectUrl} />
              <OAuthClient key={appKey} app={detail} appKey={appKey} application={application.name} />
            </>
          )}
        </Stack>
      )}
    </Section>
  )
}
