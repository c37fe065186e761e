// Package components finds or builds the programs that the testbed runs, and
// keeps them in the user's cache folder, so that a fresh clone starts warm.
//
// It decides on your behalf: the folder is os.UserCacheDir()/valkey-expose/e2e,
// one directory per component and version; Debian packages are unpacked there
// with apt's and dpkg's own programs and never installed; Kubernetes, Traefik
// and others are built from Go modules. VALKEY_SERVER, VALKEY_CLI, VALKEY_8_SERVER, ETCD and NFT, each the
// path of a program, take precedence over the packages.
package components
