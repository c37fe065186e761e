package inject

// Where a pod gets the files with what it announces.
const (
	overlayVolume = "valkey-announce"  // name of the volume
	overlayPath   = "/valkey-announce" // where it is mounted
)
