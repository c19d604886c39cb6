# Stand-in for CANN's set_env.sh: only the variable that names the toolkit.
ASCEND_HOME_PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export ASCEND_HOME_PATH
