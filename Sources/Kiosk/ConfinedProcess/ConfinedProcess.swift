// SPDX-License-Identifier: Apache-2.0

// A process of the kiosk that reads what strangers show, and so gives up files, network and most system calls before
// it opens anything: its confinement, and its end of the pipe to the kiosk.
