# lists.sh: read the data files of this folder; to be sourced.

# The lines of FILE without comments and blanks.
list() {
  sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$1"
}
