# Sourced: the version in the names of packages, and the time stamp of their files. $here is the repository.
version=$(sed -n 's/^version = "\(.*\)"$/\1/p;T;q' "$here/Cargo.toml")
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || stat -c %Y "$here/CHANGELOG.md")}
export SOURCE_DATE_EPOCH
