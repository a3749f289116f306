// SPDX-License-Identifier: Apache-2.0

// The confinement of a process that reads strangers' input, and its end of the pipe to the kiosk. Such a process drops
// its rights to files, network and most system calls before it opens anything.
