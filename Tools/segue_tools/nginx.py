"""nginx, which serves generated streams, and for comparison the same bytes as Segue."""

import pathlib
import subprocess

from segue_tools.launch import Running, bound_to_this_process, connects, fail, free_ports, until


class Nginx(Running):
    """nginx on a folder, one worker, on a free port.

    Heads and bodies are sent in separate packets, nginx's default; `joined` combines them. With `types`, it has the
    media types of HLS, compresses playlists, and allows pages of other origins to read everything. What lies below
    `/redirected/` is redirected to a signed address.
    """

    TYPES = """types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; video/mp4 mp4 m4s; audio/aac aac;
                       audio/ac3 ac3; text/vtt vtt; application/octet-stream bin; }
               gzip on; gzip_vary on; gzip_min_length 0; gzip_types application/vnd.apple.mpegurl text/vtt;
               add_header Access-Control-Allow-Origin * always;
               map $uri $kept { ~\\.m3u8$ no-cache; default max-age=60; } add_header Cache-Control $kept;"""

    def __init__(self, folder: object, address: str = "127.0.0.1", joined: bool = False, types: bool = False) -> None:
        (self.port,) = free_ports(address=address)
        work = pathlib.Path(str(folder)) / "nginx"
        work.mkdir(exist_ok=True)
        (work / "nginx.conf").write_text(f"""
            daemon off; master_process off; pid {work}/pid; error_log {work}/error;
            worker_rlimit_nofile 20000; events {{ worker_connections 16000; }}
            http {{
                {self.TYPES if types else ''}
                access_log off; sendfile on; tcp_nopush {'on' if joined else 'off'}; keepalive_requests 1000000;
                client_body_temp_path {work}/a; proxy_temp_path {work}/b; fastcgi_temp_path {work}/c;
                uwsgi_temp_path {work}/d; scgi_temp_path {work}/e;
                server {{
                    listen {address}:{self.port}; root {folder};
                    location /redirected/ {{ rewrite ^/redirected/(.*)$ /$1?signature=1a2b redirect; }}
                }}
            }}""")
        self.process = subprocess.Popen(["nginx", "-e", f"{work}/error", "-c", f"{work}/nginx.conf"],
                                        preexec_fn=bound_to_this_process())
        if not until(lambda: connects("127.0.0.1", self.port), 10):
            self.stop()
            fail("nginx did not start", 2)
