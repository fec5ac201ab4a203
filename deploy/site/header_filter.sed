# The project's plain comments, as Doxygen wants them: of the file, before what they explain, and after a member.
1s#^/\* #/** \\file\n#
/\/\* ---/b
2,$s#^\( *\)/\* #\1/** #
s#\([;,]\) /\* \(.*\)\*/$#\1 /**< \2*/#
s#\([;,]\) /\* \([^*]*\)$#\1 /**< \2#
# Not HTML: names in angle brackets.
s#<\(custom\|site\|option\|joint\|geom\|body\)>#\&lt;\1\&gt;#g
