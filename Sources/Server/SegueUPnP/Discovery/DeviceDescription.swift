import SegueBase

/// A server of media as players are told of it (UPnP Device Architecture 1.1, section 2.3).
package struct DeviceDescription: Sendable, Equatable {
    /// The type of the device.
    package static let type = "urn:schemas-upnp-org:device:MediaServer:1"

    /// The name that people see.
    package var name: String
    /// Its UUID.
    package var uuid: String
    /// The version of the program.
    package var version: String

    /// A description.
    package init(name: String, uuid: String, version: String) {
        (self.name, self.uuid, self.version) = (name, uuid, version)
    }

    /// What `SERVER` fields say: system, UPnP's version and program.
    package var product: String { "Linux UPnP/1.1 Segue/\(version)" }

    /// The description as a document.
    ///
    /// - Parameter mount: What the paths of all addresses begin with.
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
