// SPDX-License-Identifier: Apache-2.0

// GPIO lines through the kernel's character device, second ABI (Linux 5.10 and later): `LineBank` on real chips.
// It must not know what hangs at the lines. C structures end here.
