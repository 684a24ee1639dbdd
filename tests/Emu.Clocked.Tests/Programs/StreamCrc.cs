// CRC over a stream, byte packing, signed division by constants, rotate, BitOperations, ternaries, jagged arrays
using System.Numerics;
public static class StreamCrc
{
    [Kiwi.InputWordPort("data")] static byte data;
    [Kiwi.InputBitPort("valid")] static bool valid;
    [Kiwi.InputBitPort("last")] static bool last;
    [Kiwi.OutputWordPort("crc")] static uint crc;
    [Kiwi.OutputWordPort("mix")] static long mix;
    [Kiwi.OutputWordPort("zeros")] static int zeros;
    static uint[] table = new uint[256];
    static int[][] rows = { new[] { 1, -2, 3 }, new[] { -4, 5 }, new[] { 6 } };
    static sbyte level = -128;
    static ref int Row(int k) => ref rows[0][k];
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        for (uint n = 0; n < 256; n++)
        {
            uint c = n;
            for (int k = 0; k < 8; k++) c = (c & 1) != 0 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
            table[n] = c;
        }
        uint acc = 0xFFFFFFFF;
        int len = 0;
        while (true)
        {
            Kiwi.Pause();
            if (!valid)
            {
                level++;
                zeros = BitOperations.LeadingZeroCount(acc) - BitOperations.PopCount((ulong)mix);
                continue;
            }
            acc = table[(byte)(acc ^ data)] ^ (acc >> 8);
            len++;
            Row(1) += (sbyte)data / 3 - level % 5;
            rows[1][data & 1] -= rows[0][1] / -7;
            mix = unchecked((long)BitOperations.RotateLeft((ulong)mix ^ (ulong)(long)rows[0][1], 7)
                + rows[1][0] * (long)rows[1][1]);
            if (last) { crc = ~acc ^ (uint)len; acc = 0xFFFFFFFF; len = 0; mix /= 1000; }
        }
    }
}
