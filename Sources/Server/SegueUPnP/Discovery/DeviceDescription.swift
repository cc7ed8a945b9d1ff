import SegueBase

/// The description of a media server (UPnP Device Architecture 1.1, section 2.3).
package struct DeviceDescription: Sendable, Equatable {
    package static let type = "urn:schemas-upnp-org:device:MediaServer:1"

    /// The name for display.
    package var name: String
    package var uuid: String
    /// The version of the program.
    package var version: String

    package init(name: String, uuid: String, version: String) {
        (self.name, self.uuid, self.version) = (name, uuid, version)
    }

    /// The value of `SERVER` fields: system, UPnP version, and program.
    package var product: String { "Linux UPnP/1.1 Segue/\(version)" }

    /// The description as a document.
    ///
    /// - Parameter mount: The path prefix of all addresses.
    /// - Returns: The document.
    package func xml(mount: String) -> String {
        let base = MarkupText.escaped(mount + "/dlna")
        let services = [("ContentDirectory", ContentDirectory.type), ("ConnectionManager", ConnectionManager.type)]
            .map { name, type in
                """
                <service><serviceType>\(type)</serviceType><serviceId>urn:upnp-org:serviceId:\(name)</serviceId>\
                <SCPDURL>\(base)/\(name).xml</SCPDURL><controlURL>\(base)/\(name)/control</controlURL>\
                <eventSubURL>\(base)/\(name)/events</eventSubURL></service>
                """
            }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <root xmlns="urn:schemas-upnp-org:device-1-0" xmlns:dlna="urn:schemas-dlna-org:device-1-0">\
            <specVersion><major>1</major><minor>0</minor></specVersion><device>\
            <dlna:X_DLNADOC>DMS-1.50</dlna:X_DLNADOC><deviceType>\(Self.type)</deviceType>\
            <friendlyName>\(MarkupText.escaped(name))</friendlyName><manufacturer>Segue</manufacturer>\
            <modelDescription>Serves media from folders</modelDescription><modelName>Segue</modelName>\
            <modelNumber>\(MarkupText.escaped(version))</modelNumber>\
            <serialNumber>\(MarkupText.escaped(uuid))</serialNumber>\
            <UDN>uuid:\(MarkupText.escaped(uuid))</UDN><serviceList>\(services.joined())</serviceList>\
            <presentationURL>\(MarkupText.escaped(mount))/</presentationURL></device></root>

            """
    }
}
