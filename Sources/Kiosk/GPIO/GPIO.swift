// SPDX-License-Identifier: Apache-2.0

// GPIO lines through the kernel's character device, second ABI (Linux 5.10 and later): `LineBank` on real chips. This
// module does not know what is connected to the lines. No other module uses the C structures.
