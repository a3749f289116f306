// SPDX-License-Identifier: Apache-2.0

// A camera made of software: given a page's address it fetches page and QR picture as a browser would and films them.
// It is the only frame source that uses the network, so it lives outside the confined scanner's rooms.
// It must not know what the code says.
