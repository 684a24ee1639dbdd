namespace Emu.Compiler.Frontend;

internal static partial class LibraryBodies
{
    /// <summary>The methods of <see cref="Array"/> that name their element type.</summary>
    private static class OfArrays
    {
        public static void Fill<T>(T[] array, T value)
            where T : struct => array.AsSpan().Fill(value);

        public static void Fill<T>(T[] array, T value, int startIndex, int count)
            where T : struct => array.AsSpan(startIndex, count).Fill(value);

        public static int IndexOf<T>(T[] array, T value)
            where T : struct, IEquatable<T> => array.AsSpan().IndexOf(value);

        public static int LastIndexOf<T>(T[] array, T value)
            where T : struct, IEquatable<T> => array.AsSpan().LastIndexOf(value);

        public static void Reverse<T>(T[] array)
            where T : struct => OfSpans.Reverse(array.AsSpan());
    }

    /// <summary><see cref="System.Text.Ascii"/>, of bytes.</summary>
    private static class OfText
    {
        public static bool IsValid(byte value) => value < 0x80;

        public static bool IsValid(ReadOnlySpan<byte> value) =>
            OfSpans.IndexOfAnyInRange(value, (byte)0x80, (byte)0xFF) < 0;

        public static bool Equals(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
        {
            if (left.Length != right.Length) return false;
            for (var i = 0; i < left.Length; i++)
            {
                if (left[i] != right[i] || left[i] >= 0x80) return false;
            }
            return true;
        }

        public static bool EqualsIgnoreCase(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
        {
            if (left.Length != right.Length) return false;
            for (var i = 0; i < left.Length; i++)
            {
                if (Lower(left[i]) != Lower(right[i]) || left[i] >= 0x80) return false;
            }
            return true;
        }

        private static byte Lower(byte letter) =>
            letter is >= (byte)'A' and <= (byte)'Z' ? (byte)(letter | 0x20) : letter;
    }
}
