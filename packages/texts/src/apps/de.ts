/** The texts of the built-in app files, by the English text. */
export const texts: Readonly<Record<string, string>> = {
  'Access token': 'Zugriffstoken',
  'The token that the app gave for its API.': 'Das Token, das Sie von der App für ihre API erhalten haben.',
  'API key': 'API-Schlüssel',
  'The key that the app gave for its API.': 'Der Schlüssel, den Sie von der App für ihre API erhalten haben.',
  'User name': 'Benutzername',
  'The name that the app takes for basic authentication.': 'Der Name für die Basic-Authentifizierung der App.',
  Password: 'Passwort',
  'The password that goes with the user name.': 'Das Passwort zum Benutzernamen.',
  'Client id': 'Client-ID',
  'The id of the client that the app made for you.': 'Die ID des Clients, den die App für Sie angelegt hat.',
  'Client secret': 'Client-Geheimnis',
  'The secret that came with the client id.': 'Das Geheimnis zur Client-ID.',
  'API token': 'API-Token',
  'Email address': 'E-Mail-Adresse',
  Email: 'E-Mail',
  Site: 'Site',
  'API address': 'Adresse der API',
  'Application key': 'Anwendungsschlüssel',
  'Bot token': 'Bot-Token',
  Domain: 'Domain',
  Server: 'Server',
  'Data centre': 'Rechenzentrum',
  Environment: 'Umgebung',
  Region: 'Region',
  Host: 'Host',
  'Instance URL': 'URL der Instanz',
  'Login host': 'Host der Anmeldung',
  Shop: 'Shop',
  Token: 'Token',
  'Account SID': 'Account SID',
  'WhatsApp Business account id': 'ID des WhatsApp-Business-Kontos',
  'Application password': 'Anwendungspasswort',
  'Site address': 'Adresse der Website',
  Subdomain: 'Subdomain',
  'The email address that you sign in to Confluence with.': 'Die E-Mail-Adresse, mit der Sie sich bei Confluence anmelden.',
  'The first part of your Confluence address: acme of acme.atlassian.net.':
    'Der erste Teil Ihrer Confluence-Adresse: acme bei acme.atlassian.net.',
  'Address of the API of your Datadog site, such as https://api.datadoghq.com or https://api.datadoghq.eu.':
    'Die Adresse der API Ihrer Datadog-Region, zum Beispiel https://api.datadoghq.com oder https://api.datadoghq.eu.',
  'First part of your Freshdesk address: acme in acme.freshdesk.com.':
    'Der erste Teil Ihrer Freshdesk-Adresse: acme bei acme.freshdesk.com.',
  'Address of your GitLab server.': 'Die Adresse Ihres GitLab-Servers.',
  'The email address that you sign in to Jira with.': 'Die E-Mail-Adresse, mit der Sie sich bei Jira anmelden.',
  'The first part of your Jira address: acme of acme.atlassian.net.': 'Der erste Teil Ihrer Jira-Adresse: acme bei acme.atlassian.net.',
  'The end of your API key, after the hyphen, such as us6.': 'Das Ende Ihres API-Schlüssels nach dem Bindestrich, zum Beispiel us6.',
  'api-m for real payments, or api-m.sandbox for an app from the Sandbox tab.':
    'api-m für echte Zahlungen oder api-m.sandbox für eine App aus dem Tab „Sandbox“.',
  'us or eu: the first part of your PostHog address.': 'us oder eu: der erste Teil Ihrer PostHog-Adresse.',
  'quickbooks for a real company, or sandbox-quickbooks for one of a developer.':
    'quickbooks für ein echtes Unternehmen oder sandbox-quickbooks für ein Testunternehmen von Entwicklern.',
  'Address of your Salesforce organisation, such as https://acme.my.salesforce.com: in Salesforce, Setup, My Domain.':
    'Die Adresse Ihrer Salesforce-Organisation, zum Beispiel https://acme.my.salesforce.com. Sie steht in Salesforce unter „Setup“, „My Domain“.',
  'An OAuth access token of your organisation, such as sf org display --verbose shows. It works until your session ends.':
    'Ein OAuth-Zugriffstoken Ihrer Organisation, wie es sf org display --verbose anzeigt. Es gilt, bis Ihre Sitzung endet.',
  'Where you sign in, without .salesforce.com: login, test for a sandbox, or your own domain, such as acme.my.':
    'Wo Sie sich anmelden, ohne .salesforce.com: login, für eine Sandbox test, oder Ihre eigene Domain, zum Beispiel acme.my.',
  "First part of your shop's address: acme in acme.myshopify.com.": 'Der erste Teil der Adresse Ihres Shops: acme bei acme.myshopify.com.',
  'api, or api.eu for a workspace in the EU.': 'api oder für einen Workspace in der EU api.eu.',
  'On business.facebook.com/settings, under Accounts, WhatsApp accounts, your account: the number after ID.':
    'Die Zahl nach „ID“ auf business.facebook.com/settings unter „Accounts“, „WhatsApp accounts“, Ihr Konto.',
  'Address of the site, such as https://example.com/blog.': 'Die Adresse der Website, zum Beispiel https://example.com/blog.',
  'The name that you sign in to the site with.': 'Der Name, mit dem Sie sich bei der Website anmelden.',
  'Email address of the Zendesk user whose rights are used.': 'Die E-Mail-Adresse des Zendesk-Benutzers, dessen Rechte verwendet werden.',
  'First part of your Zendesk address: acme in acme.zendesk.com.': 'Der erste Teil Ihrer Zendesk-Adresse: acme bei acme.zendesk.com.',
  'Open airtable.com/create/tokens and choose Create token. Add the scopes for records, comments, the schema of bases, and user.email:read, and the bases to work with. The token begins with pat.':
    'Öffnen Sie airtable.com/create/tokens und wählen Sie „Create token“. Fügen Sie die Scopes für Datensätze, Kommentare, das Schema von Bases und user.email:read hinzu sowie die Bases, mit denen gearbeitet wird. Das Token beginnt mit pat.',
  'Open platform.claude.com, then Settings, API keys, Create key. The key begins with sk-ant- and is shown only once.':
    'Öffnen Sie platform.claude.com, dann „Settings“, „API keys“, „Create key“. Der Schlüssel beginnt mit sk-ant- und wird nur einmal angezeigt.',
  'Open app.asana.com/0/my-apps. Under Personal access tokens, choose Create new token. It is shown only once.':
    'Öffnen Sie app.asana.com/0/my-apps. Wählen Sie unter „Personal access tokens“ die Option „Create new token“. Das Token wird nur einmal angezeigt.',
  'In Attio, open Workspace settings, Developers, and add an access token with the scopes that you need.':
    'Öffnen Sie in Attio „Workspace settings“, „Developers“ und fügen Sie ein Zugriffstoken mit den Scopes hinzu, die Sie benötigen.',
  'Open app.box.com/developers/console, your app, Configuration, and choose Generate Developer Token. Such a token works for one hour.':
    'Öffnen Sie app.box.com/developers/console, Ihre App, „Configuration“ und wählen Sie „Generate Developer Token“. Ein solches Token gilt eine Stunde lang.',
  'In Brevo, open the menu of your account, SMTP & API, API keys, and generate a key. It begins with xkeysib- and is shown only once.':
    'Öffnen Sie in Brevo das Menü Ihres Kontos, „SMTP & API“, „API keys“ und erzeugen Sie einen Schlüssel. Er beginnt mit xkeysib- und wird nur einmal angezeigt.',
  'In Cal.com, open Settings, Developer, API keys, and add a key. It begins with cal_ and is shown only once.':
    'Öffnen Sie in Cal.com „Settings“, „Developer“, „API keys“ und fügen Sie einen Schlüssel hinzu. Er beginnt mit cal_ und wird nur einmal angezeigt.',
  'Open calendly.com/integrations/api_webhooks. Under Personal access tokens, choose Generate new token. It is shown only once.':
    'Öffnen Sie calendly.com/integrations/api_webhooks. Wählen Sie unter „Personal access tokens“ die Option „Generate new token“. Das Token wird nur einmal angezeigt.',
  'In ClickUp, click your avatar, then Settings, Apps. Under API Token, choose Generate. The token begins with pk_.':
    'Klicken Sie in ClickUp auf Ihren Avatar, dann auf „Settings“, „Apps“. Wählen Sie unter „API Token“ die Option „Generate“. Das Token beginnt mit pk_.',
  'Open id.atlassian.com/manage-profile/security/api-tokens and choose Create API token, without scopes. It is shown only once.':
    'Öffnen Sie id.atlassian.com/manage-profile/security/api-tokens und wählen Sie „Create API token“, ohne Scopes. Das Token wird nur einmal angezeigt.',
  'In Datadog, open Organization Settings, API Keys.': 'Öffnen Sie in Datadog „Organization Settings“, „API Keys“.',
  'In Datadog, open Organization Settings, Application Keys, New Key. It is shown only once.':
    'Öffnen Sie in Datadog „Organization Settings“, „Application Keys“, „New Key“. Der Schlüssel wird nur einmal angezeigt.',
  'Open discord.com/developers/applications, your application, Bot, and choose Reset Token. It is shown only once.':
    'Öffnen Sie discord.com/developers/applications, Ihre Anwendung, „Bot“ und wählen Sie „Reset Token“. Das Token wird nur einmal angezeigt.',
  'Open dropbox.com/developers/apps, your app, Settings. Under Generated access token, choose Generate. Such a token works for four hours.':
    'Öffnen Sie dropbox.com/developers/apps, Ihre App, „Settings“. Wählen Sie unter „Generated access token“ die Option „Generate“. Ein solches Token gilt vier Stunden lang.',
  'In ElevenLabs, open Developers, API Keys, and create a key. It is shown only once.':
    'Öffnen Sie in ElevenLabs „Developers“, „API Keys“ und erstellen Sie einen Schlüssel. Er wird nur einmal angezeigt.',
  'Sign in at dashboard.exa.ai and create a key under API Keys.':
    'Melden Sie sich bei dashboard.exa.ai an und erstellen Sie unter „API Keys“ einen Schlüssel.',
  'In Figma, open Settings, Security, and generate a personal access token with the scopes that you need. It is shown only once.':
    'Öffnen Sie in Figma „Settings“, „Security“ und erzeugen Sie ein persönliches Zugriffstoken mit den Scopes, die Sie benötigen. Es wird nur einmal angezeigt.',
  'Sign in at firecrawl.dev and copy the key under API Keys. It begins with fc-.':
    'Melden Sie sich bei firecrawl.dev an und kopieren Sie den Schlüssel unter „API Keys“. Er beginnt mit fc-.',
  'In Freshdesk, click your profile picture at the top right, then Profile settings, and View API key.':
    'Klicken Sie in Freshdesk oben rechts auf Ihr Profilbild, dann auf „Profile settings“ und „View API key“.',
  'Open github.com/settings/tokens and generate a token with the scopes repo and read:user, or a fine-grained one. It begins with ghp_ or github_pat_.':
    'Öffnen Sie github.com/settings/tokens und erzeugen Sie ein Token mit den Scopes repo und read:user oder ein „fine-grained“ Token. Es beginnt mit ghp_ oder github_pat_.',
  'In GitLab, click your avatar, then Edit profile, Access tokens, Add new token, with the scope api. It begins with glpat-.':
    'Klicken Sie in GitLab auf Ihren Avatar, dann auf „Edit profile“, „Access tokens“, „Add new token“ und wählen Sie den Scope api. Das Token beginnt mit glpat-.',
  'In HubSpot, open Development, Keys, Service keys, Create service key. Add the scopes for contacts, companies, deals, owners and tickets.':
    'Öffnen Sie in HubSpot „Development“, „Keys“, „Service keys“, „Create service key“. Fügen Sie die Scopes für Kontakte, Unternehmen, Deals, Zuständige und Tickets hinzu.',
  'In Intercom, open Settings, Integrations, Developer Hub, your app, then Configure, Authentication, Access token.':
    'Öffnen Sie in Intercom „Settings“, „Integrations“, „Developer Hub“, Ihre App, dann „Configure“, „Authentication“, „Access token“.',
  'In Klaviyo, open Settings, API keys, and create a private API key. It begins with pk_ and is shown only once.':
    'Öffnen Sie in Klaviyo „Settings“, „API keys“ und erstellen Sie einen privaten API-Schlüssel. Er beginnt mit pk_ und wird nur einmal angezeigt.',
  'In Linear, open Settings, Security & access. Under Personal API keys, choose New API key. It begins with lin_api_.':
    'Öffnen Sie in Linear „Settings“, „Security & access“. Wählen Sie unter „Personal API keys“ die Option „New API key“. Der Schlüssel beginnt mit lin_api_.',
  'In Mailchimp, click your profile, then Account & billing, Extras, API keys, Create A Key. It is shown only once.':
    'Klicken Sie in Mailchimp auf Ihr Profil, dann auf „Account & billing“, „Extras“, „API keys“, „Create A Key“. Der Schlüssel wird nur einmal angezeigt.',
  'In monday.com, click your profile picture, then Developers, My access tokens, Show.':
    'Klicken Sie in monday.com auf Ihr Profilbild, dann auf „Developers“, „My access tokens“, „Show“.',
  'Open notion.so/profile/integrations, your internal integration, and copy its secret. It begins with ntn_. Then add the integration to your pages: the menu with three dots, Connections.':
    'Öffnen Sie notion.so/profile/integrations, Ihre interne Integration, und kopieren Sie deren Geheimnis. Es beginnt mit ntn_. Fügen Sie die Integration dann Ihren Seiten hinzu: im Menü mit den drei Punkten unter „Connections“.',
  'Open platform.openai.com/api-keys and choose Create new secret key. It begins with sk- and is shown only once.':
    'Öffnen Sie platform.openai.com/api-keys und wählen Sie „Create new secret key“. Der Schlüssel beginnt mit sk- und wird nur einmal angezeigt.',
  'In PagerDuty, click your picture, then My Profile, User Settings, Create API User Token. It is shown only once.':
    'Klicken Sie in PagerDuty auf Ihr Bild, dann auf „My Profile“, „User Settings“, „Create API User Token“. Das Token wird nur einmal angezeigt.',
  'Open developer.paypal.com/dashboard/applications/live and your app. The client id is under API credentials.':
    'Öffnen Sie developer.paypal.com/dashboard/applications/live und dort Ihre App. Die Client-ID steht unter „API credentials“.',
  'On the same page, under the client id: choose Show.': 'Auf derselben Seite unter der Client-ID: Wählen Sie „Show“.',
  'Sign in at console.perplexity.ai and create a key under API keys. It begins with pplx-.':
    'Melden Sie sich bei console.perplexity.ai an und erstellen Sie unter „API keys“ einen Schlüssel. Er beginnt mit pplx-.',
  'In Pipedrive, click your picture at the top right, then Personal preferences, API.':
    'Klicken Sie in Pipedrive oben rechts auf Ihr Bild, dann auf „Personal preferences“, „API“.',
  'In PostHog, open Settings, Personal API keys, and create a key with the scopes that you need. It begins with phx_ and is shown only once.':
    'Öffnen Sie in PostHog „Settings“, „Personal API keys“ und erstellen Sie einen Schlüssel mit den Scopes, die Sie benötigen. Er beginnt mit phx_ und wird nur einmal angezeigt.',
  'Open resend.com/api-keys and choose Create API Key, with full access. It begins with re_ and is shown only once.':
    'Öffnen Sie resend.com/api-keys und wählen Sie „Create API Key“, mit vollem Zugriff („Full access“). Der Schlüssel beginnt mit re_ und wird nur einmal angezeigt.',
  'In SendGrid, open Settings, API Keys, Create API Key, with full access. It begins with SG. and is shown only once.':
    'Öffnen Sie in SendGrid „Settings“, „API Keys“, „Create API Key“, mit vollem Zugriff („Full Access“). Der Schlüssel beginnt mit SG. und wird nur einmal angezeigt.',
  'Open sentry.io/settings/account/api/auth-tokens and choose Create New Token. It begins with sntryu_ and is shown only once.':
    'Öffnen Sie sentry.io/settings/account/api/auth-tokens und wählen Sie „Create New Token“. Das Token beginnt mit sntryu_ und wird nur einmal angezeigt.',
  "In your shop's admin, open Settings, Apps, Develop apps, your app, API credentials. Copy the Admin API access token, which begins with shpat_. Only apps made before 2026 have one.":
    'Öffnen Sie im Adminbereich Ihres Shops „Settings“, „Apps“, „Develop apps“, Ihre App, „API credentials“. Kopieren Sie das „Admin API access token“, das mit shpat_ beginnt. Nur Apps, die vor 2026 angelegt wurden, haben eines.',
  'Open api.slack.com/apps, your app, OAuth & Permissions. Copy the Bot User OAuth Token, which begins with xoxb-.':
    'Öffnen Sie api.slack.com/apps, Ihre App, „OAuth & Permissions“. Kopieren Sie das „Bot User OAuth Token“, das mit xoxb- beginnt.',
  'Open dashboard.stripe.com/apikeys and copy the secret key, or create a restricted key. It begins with sk_ or rk_.':
    'Öffnen Sie dashboard.stripe.com/apikeys und kopieren Sie den geheimen Schlüssel oder erstellen Sie einen eingeschränkten Schlüssel. Er beginnt mit sk_ oder rk_.',
  'Open supabase.com/dashboard/account/tokens and generate an access token. It begins with sbp_ and is shown only once.':
    'Öffnen Sie supabase.com/dashboard/account/tokens und erzeugen Sie ein Zugriffstoken. Es beginnt mit sbp_ und wird nur einmal angezeigt.',
  'Sign in at app.tavily.com and copy the API key. It begins with tvly-.':
    'Melden Sie sich bei app.tavily.com an und kopieren Sie den API-Schlüssel. Er beginnt mit tvly-.',
  'In Telegram, write /mybots to @BotFather, then choose your bot and API Token. It looks like 123456:ABC-DEF.':
    'Schreiben Sie in Telegram /mybots an @BotFather und wählen Sie dann Ihren Bot und „API Token“. Das Token sieht aus wie 123456:ABC-DEF.',
  'In Todoist, open Settings, Integrations, Developer, and copy the API token.':
    'Öffnen Sie in Todoist „Settings“, „Integrations“, „Developer“ und kopieren Sie das API-Token.',
  'Open trello.com/power-ups/admin, your Power-Up, API key.': 'Öffnen Sie trello.com/power-ups/admin, Ihr Power-Up, „API key“.',
  'On the same page, follow the link Token beside the API key, and choose Allow.':
    'Folgen Sie auf derselben Seite neben dem API-Schlüssel dem Link „Token“ und wählen Sie „Allow“.',
  'On the home page of console.twilio.com, under Account Info. It begins with AC.':
    'Auf der Startseite von console.twilio.com unter „Account Info“. Sie beginnt mit AC.',
  'The Auth Token from the home page of console.twilio.com; or the secret of the API key.':
    'Das „Auth Token“ von der Startseite von console.twilio.com oder das Geheimnis des API-Schlüssels.',
  'The Account SID, which begins with AC; or the SID of an API key, which begins with SK.':
    'Die „Account SID“, die mit AC beginnt, oder die SID eines API-Schlüssels, die mit SK beginnt.',
  'In Typeform, open the menu of your account, then Your settings, Personal tokens, Generate a new token. It begins with tfp_ and is shown only once.':
    'Öffnen Sie in Typeform das Menü Ihres Kontos, dann „Your settings“, „Personal tokens“, „Generate a new token“. Das Token beginnt mit tfp_ und wird nur einmal angezeigt.',
  'In Webflow, open Site settings, Apps & integrations, API access, Generate API token. It works for this one site.':
    'Öffnen Sie in Webflow „Site settings“, „Apps & integrations“, „API access“, „Generate API token“. Das Token gilt nur für diese eine Website.',
  'Open business.facebook.com/settings, then Users, System users, Generate new token, with whatsapp_business_management and whatsapp_business_messaging.':
    'Öffnen Sie business.facebook.com/settings, dann „Users“, „System users“, „Generate new token“, mit whatsapp_business_management und whatsapp_business_messaging.',
  "In your site's admin, open Users, Profile, Application Passwords. Enter a name and choose Add New Application Password.":
    'Öffnen Sie im Adminbereich Ihrer Website „Users“, „Profile“, „Application Passwords“. Geben Sie einen Namen ein und wählen Sie „Add New Application Password“.',
  'A token that you already have. Zendesk makes no new ones. The list is in Admin Center, Apps and integrations, APIs.':
    'Ein Token, das Sie bereits haben. Zendesk stellt keine neuen mehr aus. Die Liste finden Sie unter „Admin Center“, „Apps and integrations“, „APIs“.',
  'Open coda.io/account. Under API settings, choose Generate API token. It is shown only once.':
    'Öffnen Sie coda.io/account. Wählen Sie unter „API settings“ die Option „Generate API token“. Das Token wird nur einmal angezeigt.',
  'In Fireflies, open Integrations, Fireflies API, and copy the API key.':
    'Öffnen Sie in Fireflies „Integrations“, „Fireflies API“ und kopieren Sie den API-Schlüssel.',
  Instance: 'Instanz',
  'Account identifier': 'Kontokennung',
  'The email address of your Atlassian account.': 'Die E-Mail-Adresse Ihres Atlassian-Kontos.',
  'The first part of your ServiceNow address: acme of acme.service-now.com.':
    'Der erste Teil Ihrer ServiceNow-Adresse: acme bei acme.service-now.com.',
  'The name with which a ServiceNow user who may use REST signs in.':
    'Der Name, mit dem sich ein ServiceNow-Benutzer anmeldet, der REST verwenden darf.',
  'The password of a ServiceNow user who may use REST, such as a user for integrations.':
    'Das Passwort eines ServiceNow-Benutzers, der REST verwenden darf, zum Beispiel eines Benutzers für Integrationen.',
  'In Apollo, open Settings, Integrations, API Keys, and create a key. Some functions need a master key.':
    'Öffnen Sie in Apollo „Settings“, „Integrations“, „API Keys“ und erstellen Sie einen Schlüssel. Einige Funktionen benötigen einen „master key“.',
  'Open id.atlassian.com/manage-profile/security/api-tokens, choose Create API token with scopes, and the app Bitbucket. It is shown only once.':
    'Öffnen Sie id.atlassian.com/manage-profile/security/api-tokens und wählen Sie „Create API token with scopes“ und die App Bitbucket. Das Token wird nur einmal angezeigt.',
  'In Bitbucket, open the settings of the workspace or repository, Access tokens, and create one. It is shown only once.':
    'Öffnen Sie in Bitbucket die Einstellungen des Workspace oder des Repositorys, „Access tokens“ und erstellen Sie ein Token. Es wird nur einmal angezeigt.',
  'Open console.cloud.google.com/google/maps-apis/credentials and create an API key for the Places, Routes and Address Validation APIs.':
    'Öffnen Sie console.cloud.google.com/google/maps-apis/credentials und erstellen Sie einen API-Schlüssel für die APIs „Places“, „Routes“ und „Address Validation“.',
  'In Snowsight, open your profile, Settings, Authentication, and generate a programmatic access token. It is shown only once.':
    'Öffnen Sie in Snowsight Ihr Profil, „Settings“, „Authentication“ und erzeugen Sie ein „programmatic access token“. Es wird nur einmal angezeigt.',
  'In Snowsight, open the account menu, View account details, and copy the account identifier with a hyphen, such as acme-eu1.':
    'Öffnen Sie in Snowsight im Kontomenü „View account details“ und kopieren Sie die Kontokennung mit Bindestrich, zum Beispiel acme-eu1.',
  'Open developer.squareup.com/apps, choose your application, and copy the production access token.':
    'Öffnen Sie developer.squareup.com/apps, wählen Sie Ihre Anwendung und kopieren Sie das Zugriffstoken für „Production“.',
  'See, add, change and delete what you can in Asana': 'Alles in Asana ansehen, hinzufügen, ändern und löschen, worauf Sie Zugriff haben',
  'See, add, change and delete your files and folders': 'Ihre Dateien und Ordner ansehen, hinzufügen, ändern und löschen',
  'See who you are': 'Sehen, wer Sie sind',
  'See your event types': 'Ihre Termintypen ansehen',
  'Add, change and delete event types': 'Termintypen hinzufügen, ändern und löschen',
  'See bookings': 'Buchungen ansehen',
  'Make, move, confirm and cancel bookings': 'Buchungen vornehmen, verschieben, bestätigen und absagen',
  'See your hours': 'Ihre Zeiten ansehen',
  'Change your hours': 'Ihre Zeiten ändern',
  'Keep the access until you end it': 'Den Zugriff behalten, bis Sie ihn beenden',
  'See who you are, and search pages': 'Sehen, wer Sie sind, und Seiten durchsuchen',
  'See spaces': 'Bereiche ansehen',
  'See pages and their labels': 'Seiten und deren Stichwörter ansehen',
  'Add and change pages': 'Seiten hinzufügen und ändern',
  'Move pages to the trash': 'Seiten in den Papierkorb verschieben',
  'See comments': 'Kommentare ansehen',
  'Add comments': 'Kommentare hinzufügen',
  'See the files on pages': 'Die Dateien auf Seiten ansehen',
  'See tasks': 'Aufgaben ansehen',
  'Tick tasks off': 'Aufgaben abhaken',
  'See your name and e-mail address': 'Ihren Namen und Ihre E-Mail-Adresse ansehen',
  'See the names of your files and folders': 'Die Namen Ihrer Dateien und Ordner ansehen',
  'Read your files': 'Ihre Dateien lesen',
  'Add, change and delete your files': 'Dateien hinzufügen sowie Ihre Dateien ändern und löschen',
  'See what you share and with whom': 'Sehen, was Sie mit wem teilen',
  'Share your files and folders': 'Ihre Dateien und Ordner teilen',
  'See your name, email address and picture': 'Ihren Namen, Ihre E-Mail-Adresse und Ihr Bild ansehen',
  'See projects and their files': 'Projekte und deren Dateien ansehen',
  'Read files, and render frames as images': 'Dateien lesen und Frames als Bilder rendern',
  'See what files are called and who changed them': 'Sehen, wie Dateien heißen und wer sie geändert hat',
  'See the versions of files': 'Die Versionen von Dateien ansehen',
  'Add and delete comments': 'Kommentare hinzufügen und löschen',
  'See the components and styles of files': 'Die Komponenten und Stile von Dateien ansehen',
  'See the dev resources of files': 'Die „Dev resources“ von Dateien ansehen',
  'Add dev resources to files': '„Dev resources“ zu Dateien hinzufügen',
  'Read and change your repositories, also private ones': 'Ihre Repositorys lesen und ändern, auch private',
  'See your profile': 'Ihr Profil ansehen',
  'See and change everything that you can in GitLab': 'Alles in GitLab ansehen und ändern, worauf Sie Zugriff haben',
  'Read, write, send and move your e-mail to the trash': 'Ihre E-Mails lesen, schreiben, senden und in den Papierkorb verschieben',
  'See, change, share and delete your calendars and events': 'Ihre Kalender und Termine ansehen, ändern, freigeben und löschen',
  'See, add, change and delete your Google Docs documents': 'Ihre Google Docs-Dokumente ansehen, erstellen, ändern und löschen',
  'See and change the files that you open with this app': 'Die Dateien ansehen und ändern, die Sie mit dieser App öffnen',
  'See, add, change and delete your files': 'Ihre Dateien ansehen, hinzufügen, ändern und löschen',
  'See, add, change and delete your spreadsheets': 'Ihre Tabellen ansehen, erstellen, ändern und löschen',
  'See, add, change and delete your tasks': 'Ihre Aufgaben ansehen, hinzufügen, ändern und löschen',
  'See contacts': 'Kontakte ansehen',
  'Add, change and delete contacts': 'Kontakte hinzufügen, ändern und löschen',
  'See companies': 'Unternehmen ansehen',
  'Add, change and delete companies': 'Unternehmen hinzufügen, ändern und löschen',
  'See deals': 'Deals ansehen',
  'Add, change and delete deals': 'Deals hinzufügen, ändern und löschen',
  'See who owns contacts, companies and deals': 'Sehen, wer für Kontakte, Unternehmen und Deals zuständig ist',
  'See, add, change and delete tickets': 'Tickets ansehen, hinzufügen, ändern und löschen',
  'See people and their profiles': 'Personen und deren Profile ansehen',
  'See projects and issues': 'Projekte und Vorgänge ansehen',
  'Add and change issues and comments': 'Vorgänge und Kommentare hinzufügen und ändern',
  'See boards and sprints': 'Boards und Sprints ansehen',
  'Change sprints and what is in them': 'Sprints und deren Inhalt ändern',
  'See your account': 'Ihr Konto ansehen',
  'See profiles of customers': 'Kundenprofile ansehen',
  'Add and change profiles': 'Profile hinzufügen und ändern',
  'See lists': 'Listen ansehen',
  'Add and change lists, and who is on them': 'Listen und deren Mitglieder hinzufügen und ändern',
  'See segments': 'Segmente ansehen',
  'Subscribe and unsubscribe people': 'Personen an- und abmelden',
  'See which kinds of events there are': 'Sehen, welche Arten von Ereignissen es gibt',
  'See events': 'Ereignisse ansehen',
  'Add events': 'Ereignisse hinzufügen',
  'See campaigns': 'Kampagnen ansehen',
  'See flows': 'Flows ansehen',
  'Switch flows on and off': 'Flows ein- und ausschalten',
  'See templates': 'Vorlagen ansehen',
  'See your issues, projects and teams': 'Ihre Issues, Projekte und Teams ansehen',
  'Add and change issues, projects and comments': 'Issues, Projekte und Kommentare hinzufügen und ändern',
  'See the names of people in your organisation': 'Die Namen der Personen in Ihrer Organisation ansehen',
  'See your teams and channels': 'Ihre Teams und Kanäle ansehen',
  'Send messages to channels': 'Nachrichten an Kanäle senden',
  'Read and send chat messages': 'Chatnachrichten lesen und senden',
  'See, add and change online meetings': 'Onlinebesprechungen ansehen, hinzufügen und ändern',
  'Read, change and delete your e-mail': 'Ihre E-Mails lesen, ändern und löschen',
  'Send e-mail as you': 'E-Mails in Ihrem Namen senden',
  'See, add, change and delete events of your calendars': 'Termine in Ihren Kalendern ansehen, hinzufügen, ändern und löschen',
  'See, add, change and delete your contacts': 'Ihre Kontakte ansehen, hinzufügen, ändern und löschen',
  'Send messages': 'Nachrichten senden',
  'See conversations and who is in them': 'Unterhaltungen und deren Teilnehmer ansehen',
  'Read messages': 'Nachrichten lesen',
  'Join public channels': 'Öffentlichen Channels beitreten',
  'Create and change conversations': 'Unterhaltungen erstellen und ändern',
  'Add and remove reactions': 'Reaktionen hinzufügen und entfernen',
  'Search messages': 'Nachrichten durchsuchen',
  'See the people of the workspace and their e-mail addresses': 'Die Personen im Workspace und deren E-Mail-Adressen ansehen',
  'See, add and change your tasks, projects and comments': 'Ihre Aufgaben, Projekte und Kommentare ansehen, hinzufügen und ändern',
  'Delete your tasks, projects and comments': 'Ihre Aufgaben, Projekte und Kommentare löschen',
  'See, change and delete your YouTube videos, playlists, ratings and comments':
    'Ihre YouTube-Videos, Playlists, Bewertungen und Kommentare ansehen, ändern und löschen',
  'See, change and delete your data in BigQuery': 'Ihre Daten in BigQuery ansehen, ändern und löschen',
  'Send, see and void your envelopes': 'Ihre Umschläge senden, ansehen und für ungültig erklären',
  'Create meeting spaces, and see and change those': 'Videokonferenzräume erstellen sowie diese ansehen und ändern',
  'See your meetings': 'Ihre Videokonferenzen ansehen',
  'See your name and picture': 'Ihren Namen und Ihr Bild ansehen',
  'See your email address': 'Ihre E-Mail-Adresse ansehen',
  'Post, comment and react for you': 'In Ihrem Namen Beiträge veröffentlichen, kommentieren und reagieren',
  'See your business and its locations': 'Ihr Unternehmen und dessen Standorte ansehen',
  'See payments and refunds': 'Zahlungen und Rückerstattungen ansehen',
  'Take, cancel and refund payments': 'Zahlungen annehmen, stornieren und zurückerstatten',
  'See customers': 'Kunden ansehen',
  'Add and change customers': 'Kunden hinzufügen und ändern',
  'See orders': 'Bestellungen ansehen',
  'Add orders and payment links': 'Bestellungen und Zahlungslinks hinzufügen',
  'See invoices': 'Rechnungen ansehen',
  'Add, send and cancel invoices': 'Rechnungen hinzufügen, senden und stornieren',
  'See the items that you sell': 'Die Artikel ansehen, die Sie verkaufen',
  'See your stock': 'Ihren Lagerbestand ansehen',
  'See all posts that you can see': 'Alle Posts ansehen, die Sie sehen können',
  'Post and repost for you': 'In Ihrem Namen posten und reposten',
  'See who you are and other accounts': 'Sehen, wer Sie sind, und andere Accounts ansehen',
  'See whom you follow and who follows you': 'Sehen, wem Sie folgen und wer Ihnen folgt',
  'Follow and unfollow accounts for you': 'In Ihrem Namen Accounts folgen und entfolgen',
  'See posts that you like': 'Posts ansehen, die Ihnen gefallen',
  'Like posts for you': 'Posts in Ihrem Namen liken',
  'See your bookmarks': 'Ihre Lesezeichen ansehen',
  'Add and delete bookmarks': 'Lesezeichen hinzufügen und löschen',
  'Read your direct messages': 'Ihre Direktnachrichten lesen',
  'Send direct messages for you': 'In Ihrem Namen Direktnachrichten senden',
  'See, add, change and delete records': 'Datensätze ansehen, hinzufügen, ändern und löschen',
  'See which kinds of records there are': 'Sehen, welche Arten von Datensätzen es gibt',
  'See which fields records have': 'Sehen, welche Felder Datensätze haben',
  'See users': 'Benutzer ansehen',
  'See your organization': 'Ihre Organisation ansehen',
  'Query records': 'Datensätze abfragen',
  'Search records': 'Datensätze durchsuchen',
}
