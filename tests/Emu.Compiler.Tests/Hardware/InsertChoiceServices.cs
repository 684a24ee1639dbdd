using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Puts a tag in front of one that is there, and two where there is none.</summary>
public sealed class OneTagOrTwo : Service
{
    public override void Process(ref Frame frame)
    {
        var isTagged = BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[12..]) == 0x8100;
        frame.Insert(12, isTagged ? 4 : 8);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[12..], 0x88A8_0064);
        if (!isTagged) BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[16..], 0x8100_0001);
        frame.Flood();
    }
}

/// <summary>Makes room of 4, 20 or 36 bytes, by a frame's first byte, and says how much.</summary>
public sealed class RoomOfThreeSizes : Service
{
    public override void Process(ref Frame frame)
    {
        var room = (frame.Bytes[0] & 3) switch { 0 => 4, 1 => 20, _ => 36 };
        frame.Insert(14, room);
        frame.Bytes[14] = (byte)room;
        frame.Bytes[0] ^= frame.Bytes[14 + room];
        frame.Flood();
    }
}
