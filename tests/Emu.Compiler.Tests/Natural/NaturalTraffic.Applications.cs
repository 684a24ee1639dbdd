using System.Text;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    /// <summary>A request of SIP with the fields that telephones send, or what scanners send.</summary>
    public static byte[] SipMessage(int i)
    {
        var method = (i % 4) switch { 0 => "INVITE", 1 => "REGISTER", 2 => "OPTIONS", _ => "BYE" };
        return Encoding.ASCII.GetBytes(
            $"{method} sip:{1000 + i}@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.1.{i}:5060;branch=z9hG4bK{i * 7919}\r\n"
            + $"Max-Forwards: 70\r\nFrom: <sip:{i}@10.0.0.1>;tag={i * 31}\r\nTo: <sip:{1000 + i}@10.0.0.1>\r\n"
            + $"Call-ID: {i * 104_729}@10.0.1.{i}\r\nCSeq: 1 {method}\r\n"
            + $"User-Agent: {(i % 10 == 1 ? "friendly-scanner" : "Telephone 1.2")}\r\nContent-Length: 0\r\n\r\n");
    }

    /// <summary>A request for a web socket, at the right path mostly, or for a page.</summary>
    public static byte[] Upgrade(int i) => Encoding.ASCII.GetBytes(
        $"GET /{(i % 5 == 0 ? "admin" : "chat")} HTTP/1.1\r\nHost: www.example.org\r\n"
        + (i % 7 == 0 ? "" : "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\n")
        + "Sec-WebSocket-Version: 13\r\n\r\n");

    /// <summary>A message in a web socket, masked mostly.</summary>
    public static byte[] SocketMessage(int i, Random random) => (i % 6) switch
    {
        0 => [0x81, 40, .. Bytes(random, 40)],
        1 => [0x82, 0x80 | 127, 0, 0, 0, 0, 0, 1, 0, 0, .. Bytes(random, 400)],
        2 => [0x82, 0x80 | 126, 2, 0, .. Bytes(random, 516)],
        _ => [0x81, (byte)(0x80 | i), .. Bytes(random, 4 + i)],
    };

    /// <summary>One request of Modbus or several, reading mostly.</summary>
    public static byte[] ModbusRequests(int i, Random random)
    {
        byte[] read = [.. Of((ushort)i), 0, 0, 0, 6, 1, 3, .. Of((ushort)random.Next(1000)), 0, 10];
        byte[] write = [.. Of((ushort)i), 0, 0, 0, 6, 1, 6, .. Of((ushort)(100 + random.Next(110))), 0, 42];
        byte[] many =
            [.. Of((ushort)i), 0, 0, 0, 27, 1, 16, .. Of((ushort)(100 + i)), 0, 10, 20, .. Bytes(random, 20)];
        return (i % 5) switch
        {
            0 => write,
            1 => [.. read, .. many],
            2 => [.. read, .. read, .. read],
            3 => many,
            _ => read,
        };
    }

    /// <summary>A publication of MQTT with a payload of any length, below the right prefix mostly; or a ping.</summary>
    public static byte[] Publication(int i, Random random)
    {
        if (i % 10 == 3) return [0xC0, 0];
        var topic = Encoding.ASCII.GetBytes(
            i % 4 == 0 ? "plant/valves/7/set" : $"plant/sensors/hall-{i % 7}/line-{i}/temperature");
        var remaining = 2 + topic.Length + i * 4;
        byte[] length = remaining < 128 ? [(byte)remaining] : [(byte)(remaining | 128), (byte)(remaining >> 7)];
        return [0x30, .. length, .. Of((ushort)topic.Length), .. topic, .. Bytes(random, i * 4)];
    }

    /// <summary>A request of CoAP with options of several kinds, or a ping.</summary>
    public static byte[] CoapRequest(int i, Random random)
    {
        if (i % 12 == 0) return [0x40, 0, .. Bytes(random, 2)];
        byte[] path = i % 3 == 0
            ? [0x86, .. "config"u8, 4, .. "rate"u8]
            : [0x87, .. "sensors"u8, 0x0D, 3, .. "temperature-room"u8];
        byte[] format = i % 2 == 0 ? [0x10] : [0x11, 50];
        return
        [
            (byte)(0x40 | i % 5), (byte)(1 + i % 4), .. Bytes(random, 2), .. Bytes(random, i % 5),
            0x3B, .. "example.org"u8, .. path, .. format, 0xFF, .. Bytes(random, i * 2),
        ];
    }
}
