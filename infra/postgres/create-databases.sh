#!/bin/sh
# The Postgres image runs this once, when its volume is empty. Creates a database for each service, owned by a role of the same name.
# A role can connect to its own database only. The services create their tables when they start.
set -eu

create() {
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --set role="$1" --set password_variable="$2" <<'SQL'
-- Read from the environment, because an argument would show in the process list.
\getenv password :password_variable
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE DATABASE :"role" OWNER :"role";
REVOKE ALL ON DATABASE :"role" FROM PUBLIC;
SQL
}

create functions FUNCTIONS_DB_PASSWORD
create insights INSIGHTS_DB_PASSWORD

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
REVOKE ALL ON DATABASE template1 FROM PUBLIC;
SQL
