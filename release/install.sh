#!/bin/sh
# Installs the command pdn: downloads the archive for this system, verifies its SHA-256 checksum, and copies the program, its
# manual and its completions below a folder, by default ~/.local.
# Usage: sh install.sh [FOLDER]
# PDN_BASE_URL: address with the archives and SHA256SUMS, instead of that of the release.
set -eu

version=@VERSION@
base=${PDN_BASE_URL:-@REPOSITORY@/releases/download/v$version}

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

target() {
    case $(uname -s)-$(uname -m) in
    Linux-x86_64 | Linux-amd64) echo x86_64-unknown-linux-musl ;;
    Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-musl ;;
    Darwin-x86_64) echo x86_64-apple-darwin ;;
    Darwin-arm64) echo aarch64-apple-darwin ;;
    *) fail "no archive for $(uname -s) on $(uname -m); build from source with cargo" ;;
    esac
}

download() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --retry 2 --output "$2" "$1" || fail "cannot download $1"
    elif command -v wget >/dev/null; then
        wget --quiet --output-document="$2" "$1" || fail "cannot download $1"
    else
        fail "curl or wget is needed"
    fi
}

checksum() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1" | cut -d ' ' -f 1
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1" | cut -d ' ' -f 1
    else
        fail "sha256sum or shasum is needed to verify the archive"
    fi
}

# All work is in a function, so that a script that arrives incomplete does nothing.
main() {
    prefix=${1:-$HOME/.local}
    target=$(target)
    name=pdn-v$version-$target
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT

    download "$base/$name.tar.gz" "$work/$name.tar.gz"
    download "$base/SHA256SUMS" "$work/SHA256SUMS"
    expected=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$name\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
    [ -n "$expected" ] || fail "SHA256SUMS does not list $name.tar.gz"
    found=$(checksum "$work/$name.tar.gz")
    [ "$found" = "$expected" ] || fail "wrong checksum of $name.tar.gz: expected $expected, found $found; nothing was installed"

    tar -xzf "$work/$name.tar.gz" -C "$work"
    mkdir -p "$prefix/bin" "$prefix/share/man/man1"
    # An old program may be running; a new file in its place leaves that one alone.
    cp "$work/$name/pdn" "$prefix/bin/.pdn.new"
    mv "$prefix/bin/.pdn.new" "$prefix/bin/pdn"
    [ ! -d "$work/$name/man" ] || cp "$work/$name"/man/* "$prefix/share/man/man1"
    if [ -d "$work/$name/completions" ]; then
        mkdir -p "$prefix/share/bash-completion/completions" "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
        cp "$work/$name/completions/pdn.bash" "$prefix/share/bash-completion/completions/pdn"
        cp "$work/$name/completions/pdn.zsh" "$prefix/share/zsh/site-functions/_pdn"
        cp "$work/$name/completions/pdn.fish" "$prefix/share/fish/vendor_completions.d/pdn.fish"
    fi
    echo "installed pdn $version in $prefix/bin"
    case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "add $prefix/bin to PATH to run it" ;;
    esac
}

main "$@"
