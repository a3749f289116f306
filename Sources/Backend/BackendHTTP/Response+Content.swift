// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding
package import HTTPTypes
package import Hummingbird

extension Response {
    /// A JSON object that no cache may keep.
    package static func json(
        _ members: [String: JSONValue], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        content(JSONObject(members).body, type: "application/json; charset=UTF-8", status: status, headers: headers)
    }

    package static func json(_ object: JSONObject) -> Response { json(object.members) }

    package static func html(_ page: String, status: HTTPResponse.Status = .ok) -> Response {
        content(Array(page.utf8), type: "text/html; charset=UTF-8", status: status)
    }

    package static func content(
        _ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = type
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A redirect to another page of this site.
    static func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }
}
