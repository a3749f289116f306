// SPDX-License-Identifier: Apache-2.0

// Draws views on a panel. `ScreenDesign` decides the place of everything, `Canvas` paints it with Cairo and Pango. The
// module opens no device and knows no catalogue of words.
